using System.Buffers.Binary;
using Raven.Storage.Streams;

namespace Raven.Storage.Checks;

/// <summary>Compares the streams of one structure with their chunks, one by one.</summary>
internal sealed class StreamCheck(string name, CheckReport report)
{
    private const int ChunkKeySize = 2 * sizeof(long);

    private readonly Dictionary<long, (long Length, long Chunks)> _named = [];
    private readonly Dictionary<long, (long Length, long Chunks)> _found = [];

    internal void VisitName(in StreamInfo info)
    {
        if (!_named.TryAdd(info.Number, (info.Length, info.Chunks)))
        {
            report.Find($"{name}: two streams have the number {info.Number}");
        }
    }

    internal void VisitChunk(ReadOnlySpan<byte> key, int length)
    {
        if (key.Length != ChunkKeySize)
        {
            report.Find($"{name}: a chunk's key has {key.Length} bytes");
            return;
        }

        long number = BinaryPrimitives.ReadInt64BigEndian(key);
        (long before, long count) = _found.GetValueOrDefault(number);
        if (before != BinaryPrimitives.ReadInt64BigEndian(key[sizeof(long)..]) || length == 0)
        {
            report.Find($"{name}: stream {number} has a gap before {before}");
        }

        _found[number] = (before + length, count + 1);
    }

    internal void End()
    {
        foreach ((long number, (long Length, long Chunks) stream) in _named)
        {
            if (_found.GetValueOrDefault(number) != stream)
            {
                report.Find($"{name}: stream {number} is not as long as its name says");
            }
        }

        if (_found.Keys.Any(number => !_named.ContainsKey(number)))
        {
            report.Find($"{name}: there are chunks of no stream");
        }
    }
}
