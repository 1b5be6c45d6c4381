using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Shared.Storage.Structures;

/// <summary>A tree, with keys of very different lengths.</summary>
internal sealed class ModelTree : ModelStructure
{
    internal override string KeyOf(int number) =>
        $"p/{number:D4}{new string('k', number % 7 == 0 ? number * 5 % 400 : number % 9)}";

    internal override bool Put(WriteTransaction transaction, string key, ref byte[] value)
    {
        Tree tree = Open(transaction);
        byte[] name = Bytes(key);
        bool isNew = !tree.Contains(name);
        tree.Put(name, value);
        return isNew;
    }

    internal override bool Delete(WriteTransaction transaction, string key) => Open(transaction).Delete(Bytes(key));

    internal override ImmutableSortedDictionary<string, byte[]> DoMore(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, int other)
    {
        string from = KeyOf(number);
        string to = KeyOf(number + (other % 20));
        string[] gone = [.. state.Keys.Where(key => key[0] == 'p'
            && string.CompareOrdinal(key, from) >= 0 && string.CompareOrdinal(key, to) < 0)];
        long deleted = Open(transaction).DeleteRange(Bytes(from), Bytes(to));
        Require(deleted == gone.Length, $"{deleted} keys of {gone.Length} deleted from {from} to {to}.");
        return state.RemoveRange(gone);
    }

    internal override string? Difference(
        Transaction reader, ImmutableSortedDictionary<string, byte[]> expected, ref int count)
    {
        if (reader.TryOpenTree("plain") is not { } tree)
        {
            return null;
        }

        int before = count;
        string last = "";
        TreeCursor cursor = tree.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            string key = Encoding.ASCII.GetString(cursor.Key);
            if (Compare(key, cursor.Value.Span, expected, ref count) is { } difference)
            {
                return difference;
            }

            if (string.CompareOrdinal(last, key) >= 0)
            {
                return $"{key} comes behind {last}";
            }

            last = key;
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

    private static Tree Open(WriteTransaction transaction) => transaction.OpenOrCreateTree("plain");
}
