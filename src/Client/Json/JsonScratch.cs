using System.Buffers;
using System.Text.Json;

namespace Raven.Client.Json;

/// <summary>
/// A buffer and its writer, which a thread reuses: rent it, write, take the bytes, dispose it. A thread that rents one
/// while it has another in use gets a new one.
/// </summary>
internal sealed class JsonScratch : IDisposable
{
    private const int KeptBytesMax = 256 * 1024;

    [ThreadStatic]
    private static JsonScratch? _free;

    private readonly ArrayBufferWriter<byte> _buffer = new(2048);

    private JsonScratch() => Writer = new Utf8JsonWriter(_buffer, JsonFormats.Writer);

    internal Utf8JsonWriter Writer { get; }

    /// <summary>What was written; valid until it is disposed.</summary>
    internal ReadOnlyMemory<byte> Written
    {
        get
        {
            Writer.Flush();
            return _buffer.WrittenMemory;
        }
    }

    internal static JsonScratch Rent()
    {
        JsonScratch scratch = _free ?? new JsonScratch();
        _free = null;
        scratch._buffer.ResetWrittenCount();
        scratch.Writer.Reset(scratch._buffer);
        return scratch;
    }

    /// <summary>Writes a value.</summary>
    /// <returns>The bytes, which the caller owns.</returns>
    internal static ReadOnlyMemory<byte> Write<TState>(TState state, Action<Utf8JsonWriter, TState> write)
    {
        using JsonScratch scratch = Rent();
        write(scratch.Writer, state);
        return scratch.Written.ToArray();
    }

    public void Dispose()
    {
        if (_buffer.Capacity <= KeptBytesMax)
        {
            _free = this;
        }
    }
}
