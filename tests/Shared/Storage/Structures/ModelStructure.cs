using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Transactions;

namespace Shared.Storage.Structures;

/// <summary>
/// A structure of the storage as a map from texts to bytes, so that one model, which never changes, fits all of them.
/// What a structure does besides is <see cref="DoMore"/>. The keys of each begin with a letter of its own.
/// </summary>
internal abstract class ModelStructure
{
    internal static ModelStructure Tree { get; } = new ModelTree();

    /// <summary>All but the plain tree.</summary>
    internal static IReadOnlyList<ModelStructure> Others { get; } =
        [new ModelFixedTree(), new ModelMultiTree(), new ModelTable(), new ModelStreams()];

    internal static IReadOnlyList<ModelStructure> All { get; } = [Tree, .. Others];

    /// <summary>What a value needs at least.</summary>
    internal virtual int LengthMin => 0;

    /// <summary>What a value may have.</summary>
    internal virtual int LengthMax => 200_000;

    /// <summary>The key of a number; in the order of numbers, or of groups of them.</summary>
    internal abstract string KeyOf(int number);

    /// <summary>Sets what a key has.</summary>
    /// <param name="transaction">The writer.</param>
    /// <param name="key">One of <see cref="KeyOf"/>.</param>
    /// <param name="value">Some bytes; then what the key has.</param>
    /// <returns>Whether the key is new.</returns>
    internal abstract bool Put(WriteTransaction transaction, string key, ref byte[] value);

    /// <summary>Removes a key.</summary>
    /// <returns>Whether it was there.</returns>
    internal abstract bool Delete(WriteTransaction transaction, string key);

    /// <summary>Whatever else it can do: to a range, a group, two keys.</summary>
    /// <returns>The state that this must leave.</returns>
    internal abstract ImmutableSortedDictionary<string, byte[]> DoMore(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, int other);

    /// <summary>Reads all of it, forth and back if it has an order.</summary>
    /// <param name="reader">The snapshot.</param>
    /// <param name="expected">What it has to hold, among other things.</param>
    /// <param name="count">Counts its entries.</param>
    /// <returns>How it differs, or null.</returns>
    internal abstract string? Difference(
        Transaction reader, ImmutableSortedDictionary<string, byte[]> expected, ref int count);

    /// <summary>Sets or removes a key in the structure and in a state, and compares what both say of it.</summary>
    internal ImmutableSortedDictionary<string, byte[]> Change(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, byte[]? value)
    {
        string key = KeyOf(number);
        bool wasKnown = state.ContainsKey(key);
        if (value is null)
        {
            Require(Delete(transaction, key) == wasKnown, $"Delete of {key}: it was {(wasKnown ? "" : "not ")}there.");
            return state.Remove(key);
        }

        Require(Put(transaction, key, ref value) != wasKnown, $"Put of {key}: it was {(wasKnown ? "" : "not ")}there.");
        return state.SetItem(key, value);
    }

    protected static byte[] Bytes(string key) => Encoding.ASCII.GetBytes(key);

    protected static void Require(bool isTrue, string otherwise)
    {
        if (!isTrue)
        {
            throw new CrashTestException(otherwise);
        }
    }

    /// <summary>Compares an entry with what is expected, and counts it.</summary>
    protected static string? Compare(
        string key, ReadOnlySpan<byte> value, ImmutableSortedDictionary<string, byte[]> expected, ref int count)
    {
        count++;
        return expected.TryGetValue(key, out byte[]? bytes) && value.SequenceEqual(bytes)
            ? null
            : $"{key} has {value.Length} bytes, expected {bytes?.Length ?? -1}";
    }
}
