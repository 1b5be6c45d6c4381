using Raven.Blittable.Contexts;


namespace Raven.Documents.Commands;

/// <summary>Reserves the next range of numbers for a client; see <see cref="HiLoRange"/>.</summary>
public sealed class HiLoNextCommand : HiLoCommand
{
    /// <summary>The largest number, so that no range can overflow.</summary>
    private const long NumberMax = long.MaxValue / 4;

    private long _lastSize;
    private DateTime? _lastRangeAt;
    private long _clientMax;

    /// <summary>The range.</summary>
    public HiLoRange Range { get; private set; }

    /// <summary>When it was reserved, UTC; the client sends it back with its next request.</summary>
    public DateTime RangeAt { get; private set; }

    /// <summary>Sets up the next use of the command.</summary>
    /// <param name="context">Must stay with the operation until the result was read.</param>
    /// <param name="tag">What the numbers are for, such as <c>users</c>, UTF-8.</param>
    /// <param name="lastSize">The size of the client's last range, or 0.</param>
    /// <param name="lastRangeAt">When that was reserved, UTC; null if there was none.</param>
    /// <param name="clientMax">The last number that the client knows of, or 0.</param>
    /// <returns>False if it cannot be: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryReset(
        OperationContext context, ReadOnlySpan<byte> tag, long lastSize, DateTime? lastRangeAt, long clientMax)
    {
        _lastSize = lastSize;
        _lastRangeAt = lastRangeAt;
        _clientMax = clientMax;
        return TryReset(context, tag);
    }

    private protected override void Execute(DocumentWriter writer)
    {
        DateTime now = writer.Now;
        long stored = ReadMax(writer);
        if (stored > NumberMax || _clientMax > NumberMax)
        {
            FailOutOfRange();
            return;
        }

        int size = HiLoRange.NextSize(_lastSize, _lastRangeAt is { } at ? now - at : null);
        Range = HiLoRange.After(stored, _clientMax, size);
        RangeAt = now;
        WriteMax(writer, Range.High);
    }
}
