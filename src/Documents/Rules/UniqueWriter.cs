using System.Buffers;
using System.Diagnostics;
using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rules;

/// <summary>
/// Keeps the values of unique constraints beside the documents, in one write transaction, and finds values that two
/// documents share at the end of a command. One thread, that of the writer.
/// </summary>
internal sealed class UniqueWriter(DocumentTables tables)
{
    private const int ValueLengthMax = 200;

    private readonly UniqueValues _keys = new();
    private readonly List<Change> _changes = [];
    private readonly List<(UniqueConstraint Constraint, byte[] Prefix, byte[] Key)> _doubts = [];
    private readonly Dictionary<int, UniqueState> _unsettled = [];
    private UniqueRules? _rules;
    private WriteTransaction _transaction = null!;
    private Tree? _tree;

    /// <summary>True if there are constraints.</summary>
    internal bool IsOn => _rules is not null;

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction, UniqueRules? rules)
    {
        _rules = rules;
        if (rules is null)
        {
            return;
        }

        _transaction = transaction;
        _tree = null;
        _doubts.Clear();
        _unsettled.Clear();
        for (int i = 0; rules.HasUnsettled && i < rules.All.Length; i++)
        {
            UniqueConstraint one = rules.All[i];
            if (!one.IsSettled && UniqueStates.Read(transaction, one.Number) is { } state
                && state.Stage != UniqueStage.Active)
            {
                _unsettled.Add(one.Number, state);
            }
        }
    }

    /// <summary>Notes what a document will be.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="collection">The folded name of its collection.</param>
    /// <param name="body">What it is from now on, outside of pages.</param>
    /// <param name="oldCollectionId">The number of another collection that it was in; -1 for the same one, 0 if it was
    /// not there.</param>
    /// <param name="rowId">The number of its row, read anew if it was there.</param>
    /// <param name="row">Its row, read anew: pages change.</param>
    internal void Put(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> collection, NativeSlice body, int oldCollectionId, ref long rowId,
        ref NativeSlice row)
    {
        if (oldCollectionId == 0)
        {
            Replace(key, default, default, collection, body);
            return;
        }

        // The collection may have been added, and a value read from a page is valid only until the next change of the
        // transaction: the row is read again.
        tables.TryFind(key, out rowId, out row);
        Replace(
            key, oldCollectionId < 0 ? collection : KeyOf(oldCollectionId), RowLayout.Body(row), collection, body);
        tables.TryFind(key, out rowId, out row);
    }

    /// <summary>Notes that a document goes. Pages change: its row is to be read again.</summary>
    internal void Delete(ReadOnlySpan<byte> key, int collectionId, NativeSlice body)
    {
        byte[] collection = KeyOf(collectionId);
        Replace(key, collection, body, collection, body: default);
    }

    /// <summary>
    /// The key of a collection's name; empty if there are no constraints for it, so that nothing needs to be kept.
    /// </summary>
    private byte[] KeyOf(int collectionId)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        bool isName = DocumentId.TryFold(tables.CollectionName(collectionId), folded, out int length, out _);
        Debug.Assert(isName, "A document cannot be in a collection without a name.");
        return _rules!.Of(folded[..length]).IsEmpty ? [] : folded[..length].ToArray();
    }

    /// <summary>Notes that a document gets another version, or none. Pages change: rows are to be read again.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="oldCollection">The folded name of the collection that it was in.</param>
    /// <param name="old">What it was; default if it was not there.</param>
    /// <param name="newCollection">The folded name of its collection.</param>
    /// <param name="body">What it is from now on, outside of pages; default if it is deleted.</param>
    private void Replace(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> oldCollection, NativeSlice old,
        ReadOnlySpan<byte> newCollection, NativeSlice body)
    {
        _keys.Clear();
        _changes.Clear();
        bool isMoved = !oldCollection.SequenceEqual(newCollection);
        if (!old.IsEmpty)
        {
            BlittableObject document = BlittableObject.Open(old);
            foreach (UniqueConstraint constraint in _rules!.Of(oldCollection))
            {
                Change change = new() { Constraint = constraint };
                change.OldLength = _keys.Add(constraint, document, out change.OldStart);
                if (!isMoved && !body.IsEmpty)
                {
                    change.NewLength = _keys.Add(constraint, BlittableObject.Open(body), out change.NewStart);
                }

                _changes.Add(change);
            }
        }

        if (!body.IsEmpty && (old.IsEmpty || isMoved))
        {
            BlittableObject document = BlittableObject.Open(body);
            foreach (UniqueConstraint constraint in _rules!.Of(newCollection))
            {
                Change change = new() { Constraint = constraint };
                change.NewLength = _keys.Add(constraint, document, out change.NewStart);
                _changes.Add(change);
            }
        }

        foreach (Change change in _changes)
        {
            Apply(change, key);
        }
    }

    /// <summary>Adds the values of a document from before its constraint.</summary>
    internal void AddExisting(UniqueConstraint constraint, ReadOnlySpan<byte> key, NativeSlice body)
    {
        _keys.Clear();
        Change change = new() { Constraint = constraint };
        change.NewLength = _keys.Add(constraint, BlittableObject.Open(body), out change.NewStart);
        Apply(change, key);
    }

    /// <summary>The state of a constraint that is not active in this transaction, if it is such.</summary>
    internal bool TryUnsettled(int number, out UniqueState? state) => _unsettled.TryGetValue(number, out state);

    /// <summary>
    /// Finds a value of a document that is to be written that another one has in an active constraint, which is not in
    /// a set of documents that are written too. Changes nothing.
    /// </summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="id">Its id.</param>
    /// <param name="collection">The folded name of its collection.</param>
    /// <param name="body">What it will be.</param>
    /// <param name="written">The documents that are written too; null if there are no others.</param>
    internal UniqueConflict? FindConflict(
        NativeSlice key, NativeSlice id, NativeSlice collection, NativeSlice body, KeyMap? written)
    {
        ReadOnlySpan<UniqueConstraint> constraints = _rules!.Of(collection.Span);
        if (constraints.IsEmpty)
        {
            return null;
        }

        BlittableObject document = BlittableObject.Open(body);
        Span<byte> holder = stackalloc byte[DocumentId.SizeBytesMax];
        foreach (UniqueConstraint constraint in constraints)
        {
            _keys.Clear();
            int length = _unsettled.ContainsKey(constraint.Number) ? 0 : _keys.Add(constraint, document, out _);
            if (length == 0)
            {
                continue;
            }

            int found = UniqueValues.FindOther(Values, _keys.Of(0, length), key.Span, holder);
            if (found > 0 && (written is null || written.Find(holder[..found]) < 0))
            {
                return Describe(constraint, key.Span, id.Span, document, holder[..found]);
            }
        }

        return null;
    }

    /// <summary>At the end of a command: a value that two documents share by it, in a constraint that is active.
    /// </summary>
    internal UniqueConflict? FindConflict()
    {
        Span<byte> holder = stackalloc byte[DocumentId.SizeBytesMax];
        foreach ((UniqueConstraint constraint, byte[] prefix, byte[] key) in _doubts)
        {
            if (!Values.Contains([.. prefix, .. key]))
            {
                continue;
            }

            int found = UniqueValues.FindOther(Values, prefix, key, holder);
            if (found > 0)
            {
                bool isThere = tables.TryFind(key, out _, out NativeSlice row);
                Debug.Assert(isThere, "UNIQ-2");
                return Describe(
                    constraint, key, RowLayout.Id(row).Span, BlittableObject.Open(RowLayout.Body(row)),
                    holder[..found]);
            }
        }

        return null;
    }

    /// <summary>Ends a command: stores what has changed of constraints that are not active, some of which may be now.
    /// </summary>
    internal void End()
    {
        foreach (UniqueState state in _unsettled.Values)
        {
            if (state is { Stage: UniqueStage.Violated, Excess: 0 })
            {
                state.Stage = UniqueStage.Active;
                state.IsChanged = true;
            }

            if (state.IsChanged)
            {
                UniqueStates.Write(_transaction, state);
            }
        }
    }

    private Tree Values => _tree ??= _transaction.OpenOrCreateTree(UniqueValues.TreeName);

    private void Apply(in Change change, ReadOnlySpan<byte> key)
    {
        _unsettled.TryGetValue(change.Constraint.Number, out UniqueState? state);
        ReadOnlySpan<byte> old = _keys.Of(change.OldStart, change.OldLength);
        ReadOnlySpan<byte> now = _keys.Of(change.NewStart, change.NewLength);
        bool isSame = old.SequenceEqual(now);
        if (isSame && state is null)
        {
            return;
        }

        Span<byte> full = stackalloc byte[UniqueValues.KeySizeBytesMax];
        Span<byte> holder = stackalloc byte[DocumentId.SizeBytesMax];
        if (!isSame && !old.IsEmpty && Values.Delete(Join(full, old, key)) && state is not null)
        {
            bool isShared = UniqueValues.FindOther(Values, old, key, holder) > 0;
            state.Excess -= isShared ? 1 : 0;
            state.IsChanged |= isShared;
        }

        if (now.IsEmpty || (state is not null && Values.Contains(Join(full, now, key))))
        {
            return;
        }

        bool isTaken = UniqueValues.FindOther(Values, now, key, holder) > 0;
        Values.Put(Join(full, now, key), default);
        if (isTaken && state is not null)
        {
            state.Excess++;
            state.IsChanged = true;
        }
        else if (isTaken)
        {
            _doubts.Add((change.Constraint, now.ToArray(), key.ToArray()));
        }
    }

    private static Span<byte> Join(Span<byte> target, ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> key)
    {
        prefix.CopyTo(target);
        key.CopyTo(target[prefix.Length..]);
        return target[..(prefix.Length + key.Length)];
    }

    private UniqueConflict Describe(
        UniqueConstraint constraint, ReadOnlySpan<byte> key, ReadOnlySpan<byte> id, BlittableObject document,
        ReadOnlySpan<byte> holder)
    {
        List<string> values = [];
        foreach (byte[][] path in constraint.Paths)
        {
            values.Add(UniqueValues.TryFind(document, path, out BlittableValue value) ? TextOf(value) : "null");
        }

        string holderId = tables.TryFind(holder, out _, out NativeSlice row)
            ? Encoding.UTF8.GetString(RowLayout.Id(row).Span)
            : Encoding.UTF8.GetString(holder);
        return new UniqueConflict(
            constraint.Collection, constraint.Name, constraint.Fields, values, Encoding.UTF8.GetString(id), holderId)
        {
            Key = key.ToArray(),
        };
    }

    /// <summary>A value as JSON, cut if it is long.</summary>
    internal static string TextOf(BlittableValue value)
    {
        var json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(value, json, JsonOutputOptions.Original);
        string text = Encoding.UTF8.GetString(json.WrittenSpan);
        return text.Length <= ValueLengthMax ? text : string.Concat(text.AsSpan(0, ValueLengthMax), "...");
    }

    private struct Change
    {
        internal UniqueConstraint Constraint;
        internal int OldStart;
        internal int OldLength;
        internal int NewStart;
        internal int NewLength;
    }
}
