using System;
using System.Collections.Generic;

namespace MatchRace.Common;

/// <summary>The warm-up rule of docs/SERIAL.md, on numbers alone; the same as lib/inproc/steadiness. Times in ns.</summary>
internal sealed class Steadiness
{
    public const int IterationsMin = 10;

    private const long SecondNs = 1_000_000_000;
    private const long TimeMinNs = 8 * SecondNs;
    private const long TimeMaxNs = 30 * SecondNs;
    private const int WindowIterationsMin = 5;
    private const int WindowIterationsMax = 100_000;
    private const double DifferenceMax = 0.05;

    private readonly List<long> _window = [];
    private readonly long _beginNs;
    private long _windowBeginNs;
    private long _windowCompiled;
    private (double MedianNs, long Compiled) _last;
    private (double MedianNs, long Compiled) _beforeLast;

    /// <summary>The first iteration begins at <paramref name="beginNs"/>, with so many methods compiled.</summary>
    public Steadiness(long beginNs, long compiled)
    {
        _beginNs = beginNs;
        _windowBeginNs = beginNs;
        _windowCompiled = compiled;
    }

    public long Iterations { get; private set; }

    /// <summary>The time of the first iteration, and of the first ten together, as far as there were.</summary>
    public long FirstNs { get; private set; }

    public long FirstTenNs { get; private set; }

    /// <summary>Median of the window that was over last; 0: none was.</summary>
    public double MedianNs => _last.MedianNs;

    /// <summary>Whether the last two windows agree, whatever the time.</summary>
    public bool IsSteady => _beforeLast.MedianNs > 0 && _last.Compiled == 0 && _beforeLast.Compiled == 0 &&
                            Math.Abs(_last.MedianNs - _beforeLast.MedianNs) < DifferenceMax * _beforeLast.MedianNs;

    /// <summary>Whether the rule ends the repetition.</summary>
    public bool IsEnough(long nowNs)
    {
        long since = nowNs - _beginNs;
        return since >= TimeMaxNs || (since >= TimeMinNs && Iterations >= IterationsMin && IsSteady);
    }

    /// <summary>An iteration that is over at <paramref name="endNs"/>, its verification included.</summary>
    public void Add(long tookNs, long endNs, long compiledNow)
    {
        FirstNs = Iterations == 0 ? tookNs : FirstNs;
        FirstTenNs += Iterations < IterationsMin ? tookNs : 0;
        Iterations++;
        if (_window.Count < WindowIterationsMax)
        {
            _window.Add(tookNs);
        }
        if (_window.Count >= WindowIterationsMin && endNs - _windowBeginNs >= SecondNs)
        {
            _beforeLast = _last;
            _last = (Median(), compiledNow - _windowCompiled);
            _window.Clear();
            (_windowBeginNs, _windowCompiled) = (endNs, compiledNow);
        }
    }

    private double Median()
    {
        _window.Sort();
        return ((double)_window[(_window.Count - 1) / 2] + _window[_window.Count / 2]) / 2;
    }
}
