using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Shared.Storage.Structures;

/// <summary>A few sets, which grow into trees and come back: a key of the model is a set and a member of it.</summary>
internal sealed class ModelMultiTree : ModelStructure
{
    private const int Sets = 5;

    internal override string KeyOf(int number) =>
        $"m/{number % Sets}/{number:D4}{new string('v', number % 13 == 0 ? 300 : number % 40)}";

    internal override bool Put(WriteTransaction transaction, string key, ref byte[] value)
    {
        value = [];
        return Open(transaction).Add(SetOf(key), MemberOf(key));
    }

    internal override bool Delete(WriteTransaction transaction, string key) =>
        Open(transaction).Remove(SetOf(key), MemberOf(key));

    internal override ImmutableSortedDictionary<string, byte[]> DoMore(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, int other)
    {
        string set = $"m/{number % Sets}/";
        string[] gone = [.. state.Keys.Where(key => key.StartsWith(set, StringComparison.Ordinal))];
        MultiTree tree = Open(transaction);
        long counted = tree.CountOf(SetOf(set));
        long removed = other % 3 == 0 ? tree.RemoveAll(SetOf(set)) : gone.Length;
        Require(
            counted == gone.Length && removed == counted, $"{set} had {gone.Length}, {counted}, {removed} members.");
        return other % 3 == 0 ? state.RemoveRange(gone) : state;
    }

    internal override string? Difference(
        Transaction reader, ImmutableSortedDictionary<string, byte[]> expected, ref int count)
    {
        if (reader.TryOpenMultiTree("sets"u8) is not { } tree)
        {
            return null;
        }

        int before = count;
        TreeCursor sets = tree.GetKeys();
        for (bool found = sets.SeekFirst(); found; found = sets.MoveNext())
        {
            string set = Encoding.ASCII.GetString(sets.Key);
            string last = "";
            MultiTreeCursor members = tree.GetValues(sets.Key);
            while (members.MoveNext())
            {
                string member = Encoding.ASCII.GetString(members.Value.Span);
                if (Compare($"m/{set}/{member}", default, expected, ref count) is { } difference)
                {
                    return difference;
                }

                if (string.CompareOrdinal(last, member) >= 0)
                {
                    return $"{member} comes behind {last} in set {set}";
                }

                last = member;
            }
        }

        return tree.Count == count - before ? null : $"{count - before} members, counted {tree.Count}";
    }

    private static byte[] SetOf(string key) => Bytes(key.Substring(2, 1));

    private static byte[] MemberOf(string key) => Bytes(key[4..]);

    private static MultiTree Open(WriteTransaction transaction) => transaction.OpenOrCreateMultiTree("sets"u8);
}
