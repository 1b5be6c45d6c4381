using System.Collections.Immutable;
using System.Globalization;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Shared.Storage.Structures;

/// <summary>A tree with 8-byte keys, negative ones too, and values of one size.</summary>
internal sealed class ModelFixedTree : ModelStructure
{
    private const int ValueBytes = 200;
    private const int Step = 3;
    private const int Below = 100;

    internal override string KeyOf(int number) => $"f/{number:D4}";

    internal override bool Put(WriteTransaction transaction, string key, ref byte[] value)
    {
        byte[] bytes = new byte[ValueBytes];
        value.AsSpan(0, Math.Min(value.Length, ValueBytes)).CopyTo(bytes);
        value = bytes;
        return Open(transaction).Put(Number(key), bytes);
    }

    internal override bool Delete(WriteTransaction transaction, string key) =>
        Open(transaction).Delete(Number(key));

    internal override ImmutableSortedDictionary<string, byte[]> DoMore(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, int other)
    {
        long from = Number(KeyOf(number));
        long to = from + (other % 60);
        string[] gone = [.. state.Keys.Where(key => key[0] == 'f' && Number(key) >= from && Number(key) <= to)];
        long deleted = Open(transaction).DeleteRange(from, to);
        Require(deleted == gone.Length, $"{deleted} keys of {gone.Length} deleted from {from} to {to}.");
        return state.RemoveRange(gone);
    }

    internal override string? Difference(
        Transaction reader, ImmutableSortedDictionary<string, byte[]> expected, ref int count)
    {
        if (reader.TryOpenFixedTree("fixed"u8) is not { } tree)
        {
            return null;
        }

        int before = count;
        long last = long.MinValue;
        FixedTreeCursor cursor = tree.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            long number = (cursor.Key / Step) + Below;
            if (Compare(KeyOf((int)number), cursor.Value.Span, expected, ref count) is { } difference)
            {
                return difference;
            }

            if (cursor.Key <= last)
            {
                return $"{cursor.Key} comes behind {last}";
            }

            last = cursor.Key;
        }

        int back = 0;
        for (bool found = cursor.SeekLast(); found; found = cursor.MovePrevious())
        {
            back++;
        }

        return back == count - before && tree.Count == back
            ? null
            : $"{count - before} entries, backwards {back}, counted {tree.Count}";
    }

    private static long Number(string key) =>
        (long.Parse(key.AsSpan(2), CultureInfo.InvariantCulture) - Below) * Step;

    private static FixedTree Open(WriteTransaction transaction) =>
        transaction.OpenOrCreateFixedTree("fixed"u8, ValueBytes);
}
