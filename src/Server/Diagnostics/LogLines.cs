namespace Raven.Server.Diagnostics;

/// <summary>The last lines of the log, for those who look at them from elsewhere. Any thread.</summary>
internal sealed class LogLines
{
    /// <summary>How many are kept.</summary>
    internal const int CountMax = 4096;

    /// <summary>How many characters they have together.</summary>
    internal const int LengthMax = 2 << 20;

    private readonly Lock _gate = new();
    private readonly Queue<LogLine> _last = new();
    private long _length;

    /// <summary>Those who watch.</summary>
    internal Broadcast<LogLine> Watches { get; } = new();

    /// <summary>Adds one; the oldest go if there are too many.</summary>
    internal void Add(LogLine line)
    {
        lock (_gate)
        {
            _last.Enqueue(line);
            _length += LengthOf(line);
            while (_last.Count > CountMax || (_length > LengthMax && _last.Count > 1))
            {
                _length -= LengthOf(_last.Dequeue());
            }
        }

        Watches.Add(line);
    }

    /// <summary>Those that are kept, the oldest first.</summary>
    internal LogLine[] List()
    {
        lock (_gate)
        {
            return [.. _last];
        }
    }

    private static int LengthOf(LogLine line) => line.Text.Length + line.Trace.Length;
}
