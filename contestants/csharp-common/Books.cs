using System.Collections.Generic;
using System.Threading;

namespace MatchRace.Common;

/// <summary>The totals of one worker; others may read them at any time.</summary>
internal sealed class Book
{
    private readonly Lock _lock = new();
    private Totals _totals;

    public Book() => _totals.Clear();

    public void Enter(in Totals batch)
    {
        lock (_lock)
        {
            _totals.Add(batch);
        }
    }

    public void AddTo(ref Totals sum)
    {
        lock (_lock)
        {
            sum.Add(_totals);
        }
    }
}

/// <summary>All that STATS and KEPT are made of: every worker's book, and every open connection's ring.</summary>
internal sealed class Books<TPlace>
    where TPlace : KeptPlace
{
    private readonly Lock _lock = new();
    private readonly HashSet<Ring<TPlace>> _rings = [];
    private readonly List<Book> _books = [];

    /// <summary>A new worker's book.</summary>
    public Book AddBook()
    {
        Book book = new();
        lock (_lock)
        {
            _books.Add(book);
        }
        return book;
    }

    public void Add(Ring<TPlace> ring)
    {
        lock (_lock)
        {
            _ = _rings.Add(ring);
        }
    }

    public void Remove(Ring<TPlace> ring)
    {
        lock (_lock)
        {
            _ = _rings.Remove(ring);
        }
    }

    public Totals Sum()
    {
        Totals sum = default;
        sum.Clear();
        lock (_lock)
        {
            foreach (Book book in _books)
            {
                book.AddTo(ref sum);
            }
        }
        return sum;
    }

    public Kept SumKept()
    {
        Kept kept = default;
        Ring<TPlace>[] rings;
        lock (_lock)
        {
            rings = [.. _rings];
        }
        foreach (Ring<TPlace> ring in rings)
        {
            ring.AddKept(ref kept);
        }
        return kept;
    }
}
