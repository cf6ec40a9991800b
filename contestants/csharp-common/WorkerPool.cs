using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;

namespace MatchRace.Common;

/// <summary>The workers that are free: who has one may parse, so at most as many threads parse as there are workers.</summary>
internal sealed class WorkerPool<TWorker>(TWorker[] workers)
    where TWorker : class
{
    private readonly SemaphoreSlim _free = new(workers.Length);
    private readonly ConcurrentStack<TWorker> _stack = new(workers);

    /// <summary>Completes at once where one is free.</summary>
    public ValueTask<TWorker> RentAsync() =>
        _free.Wait(0) ? new ValueTask<TWorker>(Pop()) : WaitAsync();

    public TWorker Rent()
    {
        _free.Wait();
        return Pop();
    }

    public void Return(TWorker worker)
    {
        _stack.Push(worker);
        _ = _free.Release();
    }

    private async ValueTask<TWorker> WaitAsync()
    {
        await _free.WaitAsync().ConfigureAwait(false);
        return Pop();
    }

    // The semaphore has counted it: one is there.
    private TWorker Pop()
    {
        TWorker? worker;
        while (!_stack.TryPop(out worker))
        {
            Thread.SpinWait(1);
        }
        return worker;
    }
}
