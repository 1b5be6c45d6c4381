using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Streams;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Shared.Storage.Structures;

/// <summary>Streams, which are appended to or rewritten.</summary>
internal sealed class ModelStreams : ModelStructure
{
    private const int AppendedLengthMax = 100_000;

    internal override int LengthMin => 1;

    internal override string KeyOf(int number) => $"s/{number:D4}";

    internal override bool Put(WriteTransaction transaction, string key, ref byte[] value)
    {
        StreamStore streams = Open(transaction);
        byte[] name = Bytes(key);
        bool exists = streams.TryGetLength(name, out long length);
        byte[] appended = value;
        if (exists && value[0] % 4 != 0 && length < AppendedLengthMax)
        {
            value = [.. Read(streams, name, (int)length), .. value];
        }
        else
        {
            Require(streams.Delete(name) == exists, $"{key} has a length and is not there.");
        }

        streams.Append(name, appended);
        return !exists;
    }

    internal override bool Delete(WriteTransaction transaction, string key) => Open(transaction).Delete(Bytes(key));

    internal override ImmutableSortedDictionary<string, byte[]> DoMore(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, int other)
    {
        string from = KeyOf(number);
        string to = KeyOf(other);
        bool canRename = state.ContainsKey(from) && !state.ContainsKey(to);
        bool isRenamed = Open(transaction).Rename(Bytes(from), Bytes(to));
        Require(isRenamed == canRename, $"{from} was{(isRenamed ? "" : " not")} renamed to {to}.");
        return canRename ? state.Remove(from).Add(to, state[from]) : state;
    }

    internal override string? Difference(
        Transaction reader, ImmutableSortedDictionary<string, byte[]> expected, ref int count)
    {
        if (reader.TryOpenStreams("files"u8) is not { } streams)
        {
            return null;
        }

        int before = count;
        long bytes = 0;
        TreeCursor names = streams.GetNames();
        for (bool found = names.SeekFirst(); found; found = names.MoveNext())
        {
            string key = Encoding.ASCII.GetString(names.Key);
            Require(streams.TryGetLength(names.Key, out long length), $"{key} has no length.");
            if (Compare(key, Read(streams, names.Key, (int)length), expected, ref count) is { } difference)
            {
                return difference;
            }

            bytes += length;
        }

        return streams.Count == count - before && streams.PayloadBytes == bytes
            ? null
            : $"{count - before} streams of {bytes} bytes, counted {streams.Count} of {streams.PayloadBytes}";
    }

    private static byte[] Read(StreamStore streams, ReadOnlySpan<byte> name, int length)
    {
        byte[] content = new byte[length];
        int count = streams.Read(name, 0, content);
        Require(count == length, $"A stream of {length} bytes has {count}.");
        return content;
    }

    private static StreamStore Open(WriteTransaction transaction) => transaction.OpenOrCreateStreams("files"u8);
}
