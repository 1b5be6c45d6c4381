using System.Text.Json;

namespace Raven.Documents.Smuggler;

/// <summary>How far one kind of data is. Its worker counts, any thread reads.</summary>
public sealed class DumpCounts
{
    private long _read;
    private long _errored;
    private long _skipped;
    private long _sizeBytes;

    /// <summary>How many were read and taken.</summary>
    public long Read
    {
        get => Volatile.Read(ref _read);
        internal set => Volatile.Write(ref _read, value);
    }

    /// <summary>How many could not be taken; messages say why.</summary>
    public long Errored
    {
        get => Volatile.Read(ref _errored);
        internal set => Volatile.Write(ref _errored, value);
    }

    /// <summary>How many were left out, as the options, the rights or the server do not take them.</summary>
    public long Skipped
    {
        get => Volatile.Read(ref _skipped);
        internal set => Volatile.Write(ref _skipped, value);
    }

    /// <summary>The bytes of those that were taken.</summary>
    public long SizeBytes
    {
        get => Volatile.Read(ref _sizeBytes);
        internal set => Volatile.Write(ref _sizeBytes, value);
    }

    /// <summary>Whether all of it was seen.</summary>
    public bool IsDone { get; internal set; }

    internal void Write(Utf8JsonWriter json)
    {
        json.WriteBoolean("Processed"u8, IsDone);
        json.WriteNumber("ReadCount"u8, Read);
        json.WriteNumber("ErroredCount"u8, Errored);
        json.WriteNumber("SkippedCount"u8, Skipped);
        json.WriteNumber("SizeInBytes"u8, SizeBytes);
    }
}
