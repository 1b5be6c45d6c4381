using System.Globalization;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Subscriptions;

/// <summary>Makes a subscription, or changes one. Its query was checked before.</summary>
/// <param name="change">What is asked for.</param>
/// <param name="isUpdate">Whether there must be one already.</param>
/// <param name="database">The id of the database, for its change vectors.</param>
internal sealed class SubscriptionPutCommand(SubscriptionChange change, bool isUpdate, DatabaseId database)
    : DocumentCommand
{
    /// <summary>Why it was not done; null if it was.</summary>
    internal SubscriptionException? Problem { get; private set; }

    /// <summary>The definition that is stored now.</summary>
    internal SubscriptionDefinition? Result { get; private set; }

    /// <summary>Whether a change was asked for that changes nothing.</summary>
    internal bool IsUnchanged { get; private set; }

    /// <summary>Whether the workers of the subscription have to end.</summary>
    internal bool EndsWorkers { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        (Problem, Result, IsUnchanged, EndsWorkers) = (null, null, false, false);
        WriteTransaction transaction = writer.Tables.Transaction;
        SubscriptionDefinition? there = FindExisting(transaction);
        if (there is null && isUpdate && !change.CreatesMissing)
        {
            Problem = SubscriptionException.Missing(
                change.Name ?? change.Id?.ToString(CultureInfo.InvariantCulture) ?? "");
            return;
        }

        if (there is not null && !isUpdate && change.Id is null)
        {
            if (change.RequestId is not null && there.RequestId == change.RequestId)
            {
                Result = there;
                return;
            }

            Problem = new SubscriptionException(
                SubscriptionProblem.Name, $"There is a subscription '{there.Name}' already.");
            return;
        }

        if (!TryReadStart(writer, out long? start))
        {
            return;
        }

        if (there is null)
        {
            Create(transaction, start ?? 0);
        }
        else
        {
            Update(transaction, there, start);
        }
    }

    private SubscriptionDefinition? FindExisting(WriteTransaction transaction) =>
        change.Id is { } id ? SubscriptionTables.ReadAll(transaction).Find(one => one.Id == id)
        : change.Name is { } name ? SubscriptionTables.Find(transaction, name)
        : change.RequestId is { } request && !isUpdate
            ? SubscriptionTables.ReadAll(transaction).Find(one => one.RequestId == request)
        : null;

    /// <summary>The change from which on it sends; null to leave that as it is.</summary>
    private bool TryReadStart(DocumentWriter writer, out long? etag)
    {
        etag = null;
        switch (change.ChangeVector)
        {
            case null or "" or SubscriptionChange.DoNotChange:
                return true;
            case SubscriptionChange.BeginningOfTime:
                etag = 0;
                return true;
            case SubscriptionChange.LastDocument:
                etag = writer.LastEtag;
                return true;
        }

        ReadOnlySpan<byte> vector = Encoding.UTF8.GetBytes(change.ChangeVector);
        ReadOnlySpan<byte> rest = vector;
        if (!ChangeVector.TryReadEntry(ref rest, out ChangeVectorEntry entry) || !rest.IsEmpty
            || !entry.DatabaseId.SequenceEqual(database.Utf8) || entry.Etag > writer.LastEtag)
        {
            Problem = new SubscriptionException(
                SubscriptionProblem.ChangeVector,
                $"ChangeVector must be one of this database, {SubscriptionChange.BeginningOfTime}, "
                + $"{SubscriptionChange.LastDocument} or {SubscriptionChange.DoNotChange}: '{change.ChangeVector}' is "
                + "none.");
            return false;
        }

        etag = entry.Etag;
        return true;
    }

    private void Create(WriteTransaction transaction, long start)
    {
        if (change.Query is null)
        {
            Problem = new SubscriptionException(SubscriptionProblem.Invalid, "A subscription needs a Query.");
            return;
        }

        SubscriptionTables.TryReadPosition(transaction, 0, out SubscriptionPosition last);
        long id = last.LastBatch + 1;
        SubscriptionDefinition made = new()
        {
            Id = id,
            Name = change.Name ?? id.ToString(CultureInfo.InvariantCulture),
            Query = change.Query,
            IsDisabled = change.IsDisabled ?? false,
            Archived = change.Archived ?? ArchivedDocuments.ExcludeArchived,
            MentorNode = change.MentorNode,
            PinToMentorNode = change.PinToMentorNode ?? false,
            CommandIndex = change.CommandIndex,
            RequestId = change.RequestId,
        };
        Tree definitions = transaction.OpenOrCreateTree(SubscriptionTables.Definitions);
        if (!TryTakeName(definitions, made.Name, out byte[] key))
        {
            return;
        }

        definitions.Put(key, made.ToBytes());
        SubscriptionTables.WritePosition(transaction, 0, last with { LastBatch = id });
        SubscriptionTables.WritePosition(transaction, id, new SubscriptionPosition(0, start, 0, 0, 0));
        Result = made;
    }

    private void Update(WriteTransaction transaction, SubscriptionDefinition there, long? start)
    {
        SubscriptionDefinition changed = there with
        {
            Name = change.Name ?? there.Name,
            Query = change.Query ?? there.Query,
            IsDisabled = change.IsDisabled ?? there.IsDisabled,
            Archived = change.Archived ?? there.Archived,
            MentorNode = change.MentorNode ?? there.MentorNode,
            PinToMentorNode = change.PinToMentorNode ?? there.PinToMentorNode,
        };
        Result = there;
        if (changed == there && start is null)
        {
            IsUnchanged = true;
            return;
        }

        changed = changed with { CommandIndex = change.CommandIndex };
        Tree definitions = transaction.OpenOrCreateTree(SubscriptionTables.Definitions);
        SubscriptionTables.TryKeyOf(there.Name, out byte[]? oldKey);
        byte[] key = oldKey!;
        if (changed.Name != there.Name && (!SubscriptionTables.TryKeyOf(changed.Name, out byte[]? newKey)
            || (!newKey.AsSpan().SequenceEqual(oldKey) && !TryTakeName(definitions, changed.Name, out key))))
        {
            Problem ??= BadName(changed.Name);
            return;
        }

        definitions.Delete(oldKey);
        definitions.Put(key, changed.ToBytes());
        SubscriptionTables.TryReadPosition(transaction, there.Id, out SubscriptionPosition position);
        EndsWorkers = start is not null || changed.Query != there.Query || changed.Archived != there.Archived
            || changed.IsDisabled != there.IsDisabled || changed.Name != there.Name;
        if (start is not null)
        {
            SubscriptionTables.DeleteAllOwed(transaction, there.Id);
        }

        SubscriptionTables.WritePosition(transaction, there.Id, position with
        {
            Generation = position.Generation + (EndsWorkers ? 1 : 0),
            Etag = start ?? position.Etag,
        });
        Result = changed;
    }

    private bool TryTakeName(Tree definitions, string name, out byte[] key)
    {
        if (!SubscriptionTables.TryKeyOf(name, out byte[]? found))
        {
            key = [];
            Problem = BadName(name);
            return false;
        }

        key = found;
        if (definitions.TryGet(key, out NativeSlice _))
        {
            Problem = new SubscriptionException(
                SubscriptionProblem.Name, $"There is a subscription '{name}' already.");
            return false;
        }

        return true;
    }

    private static SubscriptionException BadName(string name) => new(
        SubscriptionProblem.Name,
        $"'{name}' cannot be the name of a subscription: it has 1 to 512 bytes of UTF-8, and none of U+0000, "
        + "U+001E and U+001F.");
}
