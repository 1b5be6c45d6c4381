namespace Raven.CommandLine.Import.Input;

/// <summary>
/// Lets a text through and writes every raw control character (below 0x20) inside a JSON string as <c>\u00XX</c>,
/// which is what a strict reader wants to see there. Counts what it repaired. Positions in errors are those of the
/// repaired text.
/// </summary>
internal sealed class ControlCharacterRepair : ReadOnlyStream
{
    private const int GrowthMax = 6;
    private readonly Stream _inner;
    private readonly byte[] _raw = new byte[64 * 1024];
    private readonly byte[] _repaired = new byte[64 * 1024 * GrowthMax];
    private int _start;
    private int _end;
    private bool _inString;
    private bool _afterBackslash;

    internal ControlCharacterRepair(Stream inner) => _inner = inner;

    /// <summary>Characters that were escaped so far.</summary>
    internal long Count { get; private set; }

    public override int Read(Span<byte> buffer)
    {
        if (_start == _end)
        {
            int read = _inner.Read(_raw);
            _start = 0;
            _end = 0;
            foreach (byte next in _raw.AsSpan(0, read))
            {
                Append(next);
            }
        }

        int copied = Math.Min(buffer.Length, _end - _start);
        _repaired.AsSpan(_start, copied).CopyTo(buffer);
        _start += copied;
        return copied;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _inner.Dispose();
        }

        base.Dispose(disposing);
    }

    private void Append(byte next)
    {
        if (_inString && next < 0x20)
        {
            Count++;
            "\\u00"u8.CopyTo(_repaired.AsSpan(_end));
            _repaired[_end + 4] = (byte)('0' + (next >> 4));
            _repaired[_end + 5] = "0123456789abcdef"u8[next & 15];
            _end += GrowthMax;
            _afterBackslash = false;
            return;
        }

        if (next == (byte)'"' && !_afterBackslash)
        {
            _inString = !_inString;
        }

        _afterBackslash = _inString && next == (byte)'\\' && !_afterBackslash;
        _repaired[_end++] = next;
    }
}
