using System.Buffers.Binary;
using System.Text.Json;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Settings;

//   NAME                STRUCTURE  KEY                VALUE
//   Unique.Constraints  Tree       int32, big-endian  stage; int64 excess, built etag, stop etag; definition
//                                  0                  int32: the last number that was given out
//
//   UNIQ-1  A number is used once: what is stored under one belongs to one definition.

/// <summary>The stored states of unique constraints.</summary>
internal static class UniqueStates
{
    internal static ReadOnlySpan<byte> TreeName => "Unique.Constraints"u8;

    /// <summary>All of them, by their numbers.</summary>
    internal static List<UniqueState> ReadAll(Transaction transaction)
    {
        List<UniqueState> states = [];
        if (transaction.TryOpenTree(TreeName) is not { } tree)
        {
            return states;
        }

        TreeCursor cursor = tree.GetCursor();
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            int number = BinaryPrimitives.ReadInt32BigEndian(cursor.Key);
            if (number != 0)
            {
                states.Add(UniqueState.Read(number, cursor.Value.Span));
            }
        }

        return states;
    }

    /// <summary>One of them; null if it is gone.</summary>
    internal static UniqueState? Read(Transaction transaction, int number)
    {
        Span<byte> key = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(key, number);
        return transaction.TryOpenTree(TreeName) is { } tree && tree.TryGet(key, out NativeSlice stored)
            ? UniqueState.Read(number, stored.Span)
            : null;
    }

    /// <summary>Stores one.</summary>
    internal static void Write(WriteTransaction transaction, UniqueState state)
    {
        Span<byte> key = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(key, state.Number);
        transaction.OpenOrCreateTree(TreeName).Put(key, state.ToBytes());
        state.IsChanged = false;
    }

    /// <summary>Removes one, whose values are gone.</summary>
    internal static void Remove(WriteTransaction transaction, int number)
    {
        Span<byte> key = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(key, number);
        transaction.OpenOrCreateTree(TreeName).Delete(key);
    }

    /// <summary>Makes the stored states those of a configuration: new constraints get a number and are built, others
    /// are dropped, and those that stay as they are keep what they have.</summary>
    /// <returns>True if there is a constraint.</returns>
    internal static bool Reconcile(WriteTransaction transaction, ReadOnlySpan<byte> configuration)
    {
        using JsonDocument json = StoredJson.Parse(configuration);
        List<UniqueConstraint> wanted = UniqueConfiguration.Parse(json.RootElement);
        List<UniqueState> states = ReadAll(transaction);
        HashSet<int> kept = [];
        foreach (UniqueConstraint constraint in wanted)
        {
            byte[] definition = constraint.Definition();
            UniqueState? state = Find(states, definition);
            if (state is null)
            {
                state = new UniqueState { Number = NextNumber(transaction), Definition = definition };
                Write(transaction, state);
            }

            kept.Add(state.Number);
        }

        foreach (UniqueState state in states)
        {
            if (state.Stage != UniqueStage.Dropping && !kept.Contains(state.Number))
            {
                state.Stage = UniqueStage.Dropping;
                Write(transaction, state);
            }
        }

        return wanted.Count > 0;
    }

    /// <summary>The constraints of a configuration, with their numbers.</summary>
    internal static UniqueRules? Load(Transaction transaction, ReadOnlySpan<byte> configuration)
    {
        using JsonDocument json = StoredJson.Parse(configuration);
        List<UniqueConstraint> wanted = UniqueConfiguration.Parse(json.RootElement);
        if (wanted.Count == 0)
        {
            return null;
        }

        List<UniqueState> states = ReadAll(transaction);
        List<UniqueConstraint> numbered = [];
        foreach (UniqueConstraint constraint in wanted)
        {
            UniqueState state = Find(states, constraint.Definition()) ?? throw new StorageCorruptedException(
                "documents", -1,
                $"the unique constraint '{constraint.Name}' of '{constraint.Collection}' has no state");
            numbered.Add(constraint with
            {
                Number = state.Number,
                IsSettled = state.Stage == UniqueStage.Active,
            });
        }

        return new UniqueRules(numbered);
    }

    private static UniqueState? Find(List<UniqueState> states, byte[] definition) => states.Find(
        state => state.Stage != UniqueStage.Dropping && state.Definition.AsSpan().SequenceEqual(definition));

    private static int NextNumber(WriteTransaction transaction)
    {
        Tree tree = transaction.OpenOrCreateTree(TreeName);
        Span<byte> key = stackalloc byte[sizeof(int)];
        key.Clear();
        Span<byte> value = stackalloc byte[sizeof(int)];
        int number = tree.TryGet(key, out NativeSlice last) ? BinaryPrimitives.ReadInt32LittleEndian(last.Span) : 0;
        BinaryPrimitives.WriteInt32LittleEndian(value, checked(number + 1));
        tree.Put(key, value);
        return number + 1;
    }
}
