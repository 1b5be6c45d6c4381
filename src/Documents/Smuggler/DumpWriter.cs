using System.Buffers;
using Raven.Blittable.Json;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Writes the frame of a dump, its sections and lists, and passes the bytes on in pieces. One operation at a time.
/// </summary>
internal sealed class DumpWriter(Stream target)
{
    /// <summary>How many bytes are collected before they are passed on.</summary>
    private const int PieceSizeBytes = 128 * 1024;

    private readonly ArrayBufferWriter<byte> _buffer = new(2 * PieceSizeBytes);
    private bool _isFirstItem;

    /// <summary>Takes the JSON of an item.</summary>
    internal IBufferWriter<byte> Buffer => _buffer;

    /// <summary>True if it is time to pass the bytes on.</summary>
    internal bool IsFull => _buffer.WrittenCount >= PieceSizeBytes;

    /// <summary>How many bytes were written so far.</summary>
    internal long Position => _passed + _buffer.WrittenCount;

    private long _passed;

    /// <summary>Begins the dump.</summary>
    /// <param name="version">The version of the build that it names.</param>
    internal void Begin(long version)
    {
        var json = new JsonOutput(_buffer);
        json.StartObject();
        json.Name("BuildVersion"u8);
        json.Number(version);
        json.Flush();
    }

    /// <summary>Begins a section, before its value.</summary>
    internal void BeginSection(string name)
    {
        _buffer.Write(",\""u8);
        _buffer.Write(System.Text.Encoding.UTF8.GetBytes(name));
        _buffer.Write("\":"u8);
    }

    /// <summary>Begins a section that is a list.</summary>
    internal void BeginList(string name)
    {
        BeginSection(name);
        _buffer.Write("["u8);
        _isFirstItem = true;
    }

    /// <summary>Begins an item of a list, or bytes that stand in the place of one.</summary>
    internal void BeginItem()
    {
        if (!_isFirstItem)
        {
            _buffer.Write(","u8);
        }

        _isFirstItem = false;
    }

    /// <summary>Ends a list.</summary>
    internal void EndList() => _buffer.Write("]"u8);

    /// <summary>Passes on what is collected, if that is enough.</summary>
    internal ValueTask PassAsync(CancellationToken cancellation) =>
        IsFull ? PassAllAsync(cancellation) : ValueTask.CompletedTask;

    /// <summary>Ends the dump.</summary>
    internal async ValueTask EndAsync(CancellationToken cancellation)
    {
        _buffer.Write("}"u8);
        await PassAllAsync(cancellation).ConfigureAwait(false);
    }

    private async ValueTask PassAllAsync(CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        await target.WriteAsync(_buffer.WrittenMemory, cancellation).ConfigureAwait(false);
        _passed += _buffer.WrittenCount;
        _buffer.ResetWrittenCount();
    }
}
