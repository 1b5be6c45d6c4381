using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.CommandLine.Import.Input;

/// <summary>
/// Finds the end of a JSON value and whether the server will accept it: with the server's own parser, so that duplicate
/// properties, broken UTF-8 and too much depth are found here, with their line, and not by a refusal.
/// </summary>
internal sealed class ValueScanner : IDisposable
{
    private const long RetainedBytesMax = 64L << 20;
    private OperationContext _context = new();

    internal enum Outcome
    {
        Complete,
        NeedMore,
        Invalid,
    }

    /// <summary>
    /// Checks the value at the start of the bytes. <paramref name="length"/> is its length, or the place of the error
    /// in an invalid one; with <paramref name="isFinal"/> a value that ends too early is invalid.
    /// </summary>
    internal Outcome FindEnd(ReadOnlySpan<byte> bytes, bool isFinal, out int length, out string reason)
    {
        if (_context.Arena.CommittedBytes > RetainedBytesMax)
        {
            // One giant document must not hold its memory for the rest of the run.
            _context.Dispose();
            _context = new OperationContext();
        }

        _context.Reset();
        JsonToBlittable parser = _context.Parser;
        parser.Begin(BlittableMode.ToMemory);
        JsonParseStatus status = parser.Feed(bytes, out length);
        reason = "";
        if (status == JsonParseStatus.NeedMore && !isFinal)
        {
            return Outcome.NeedMore;
        }

        if (status != JsonParseStatus.Invalid && parser.TryFinish(out BlittableValue _))
        {
            return Outcome.Complete;
        }

        length = (int)Math.Min(parser.Error.Byte, bytes.Length);
        reason = parser.Error.Reason;
        return Outcome.Invalid;
    }

    public void Dispose() => _context.Dispose();
}
