using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Cluster.Hosting;
using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Cluster.Store;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Security.Secrets;

namespace Raven.Server.Http.Cluster;

//   PLAN-1  A database of the store's records that has this node in its group is in the catalog, and its files are
//           replicated. One that has not, or that was deleted, goes from the catalog; its files stay unless it was said
//           that they go.
//   PLAN-2  A database of the catalog that never was in a cluster becomes a group of this node alone, with its files.
//           One that was, and that the store does not know, is left alone and reported: the store may be an old copy.
//
// A changed record in the store becomes that of the catalog (RECORD-1).

/// <summary>Which databases this node has: what the store says becomes so (PLAN-1).</summary>
internal sealed partial class ClusterService
{
    private const string NotePrefix = "cluster-db/";
    private const string BegunPrefix = "cluster-begun/";
    private const string GoneName = "gone/";
    private const string SettingsPart = "settings";

    private readonly Dictionary<string, DatabaseNote> _notes = new(StringComparer.Ordinal);
    private bool _areNotesRead;

    private static string SettingsOf(string database) =>
        $"{ClusterKeys.Databases}{database.ToLowerInvariant()}/{SettingsPart}";

    private static string GoneOf(string database, string? tag) => ClusterKeys.ServerOf(
        $"{GoneName}{database.ToLowerInvariant()}{(tag is null ? "" : "/" + tag)}");

    private async Task ApplyAsync()
    {
        ReadNotes();
        HashSet<string> known = new(StringComparer.OrdinalIgnoreCase);
        foreach (string key in _store.Mirror.Entries.Keys)
        {
            if (ClusterKeys.TryReadDatabase(key, out string folded, out string part) && part == "group")
            {
                known.Add(folded);
                await ApplyAsync(folded).ConfigureAwait(false);
            }
        }

        foreach (string name in _state.Databases.Names())
        {
            if (!known.Contains(name))
            {
                await ApplyUnknownAsync(name).ConfigureAwait(false);
            }
        }

        foreach (GroupEntry entry in _groups.Values)
        {
            if (!known.Contains(entry.Name) && entry is { Host: null, Problem: null }
                && _groups.TryRemove(entry.Name, out _))
            {
                entry.Show(null);
            }
        }
    }

    private async Task ApplyAsync(string folded)
    {
        if (_store.Mirror.Find(ClusterKeys.GroupOf(folded)) is not { } stored
            || _store.Mirror.Find(ClusterKeys.RecordOf(folded)) is not { } record
            || !DatabaseGroup.TryRead(stored.Value.Span, out DatabaseGroup? group, out _))
        {
            return;
        }

        string name = NameIn(record) ?? folded;
        GroupEntry entry = _groups.GetOrAdd(name, static one => new GroupEntry(one));
        bool isOurs = group.Members.Contains(Tag) || group.Promotables.Contains(Tag);
        if (!_notes.ContainsKey(Folded(name)) && _state.Databases.TryGet(name, out _))
        {
            if (BegunLineage(name) != group.Lineage)
            {
                // One of that name was here before the node joined: it is another one.
                Tell(entry, $"The cluster has a database '{name}' (nodes {string.Join(", ", group.Members)}), and the "
                    + "folder of this node another one, which is left alone. Back that one up under a server by "
                    + "itself, and restore it under another name.");
                return;
            }

            // This node has put it into the store, and was ended before it had noted that.
            Note(name, record.ModRevision);
        }

        Tell(entry, null);
        if (!isOurs)
        {
            await LeaveAsync(name, entry, IsFlagSet(GoneOf(folded, Tag))).ConfigureAwait(false);
            return;
        }

        if (!_state.Databases.TryGet(name, out Database? database))
        {
            // Noted before: what is found here without a note is not the cluster's.
            Note(name, record.ModRevision);
            CreateDatabaseStatus status = _state.Databases.TryTake(name, record.Value.Span, out database);
            if (status != CreateDatabaseStatus.Created || database is null)
            {
                Tell(entry, $"It cannot be made here: {status}.");
                return;
            }
        }

        if (entry.Host is null && _node is { } node)
        {
            var served = new ReplicaOfDatabase(database);
            database.Replica!.Changed += () => Show(entry);
            ReplicaHost host = node.Add(name, new StorageReplicaFiles(served), served);
            host.Changed += () =>
            {
                Show(entry);
                Nudge();
            };
            entry.Host = host;
        }

        KeepRecord(name, record);
        await ApplySettingsAsync(name, database).ConfigureAwait(false);
    }

    /// <summary>Notes what is wrong with this node's part of a database; it is in the log once.</summary>
    private void Tell(GroupEntry entry, string? problem)
    {
        if (entry.Problem != problem)
        {
            entry.Problem = problem;
            if (problem is not null)
            {
                ClusterLog.DatabaseProblem(_log, entry.Name, problem);
            }
        }
    }

    /// <summary>The primary of a new database stores the settings that its record came with.</summary>
    private async Task ApplySettingsAsync(string name, Database database)
    {
        string key = SettingsOf(name);
        if (database.Replica is { IsPrimary: true } && _store.Mirror.Find(key) is { } settings)
        {
            RecordSettings.Extract(settings.Value, out RecordSettings found);
            await found.ApplyAsync(database, _state.Time.GetUtcNow()).ConfigureAwait(false);
            await _store.Store.TxnAsync(StoreTxn.Delete(key, settings.ModRevision), _stop.Token).ConfigureAwait(false);
        }
    }

    /// <summary>Takes the record of the store if it is another one.</summary>
    private void KeepRecord(string name, StoreEntry stored)
    {
        if (_notes.TryGetValue(Folded(name), out DatabaseNote? note) && note.Revision != stored.ModRevision)
        {
            _state.Databases.TryTakeRecord(name, stored.Value);
            Note(name, stored.ModRevision);
        }
    }

    private async Task ApplyUnknownAsync(string name)
    {
        string folded = Folded(name);
        if (_notes.ContainsKey(folded))
        {
            GroupEntry entry = _groups.GetOrAdd(name, static one => new GroupEntry(one));
            if (_store.Mirror.Find(GoneOf(folded, null)) is not null)
            {
                Tell(entry, null);
                await LeaveAsync(name, entry, IsFlagSet(GoneOf(folded, null))).ConfigureAwait(false);
            }
            else if (entry.Host is null)
            {
                Tell(entry, "It belongs to the cluster, and the store does not know it: the store was restored from an "
                    + "older copy, or is that of another cluster. The files are left alone.");
            }

            return;
        }

        if (!_state.Databases.TryGetRecord(name, out DatabaseRecord? record))
        {
            return;
        }

        // Its record in the store is what tells it from a database of that name that another node makes. If it has
        // secrets, the key that seals them for all has to be there first.
        byte[] named;
        try
        {
            named = NamedRecord(name, _state.Security.Secrets.ToShared(name, record.Json) ?? record.Json);
        }
        catch (MasterKeyException e)
        {
            Tell(_groups.GetOrAdd(name, static one => new GroupEntry(one)),
                $"It is not the cluster's yet: {e.Message}");
            return;
        }

        DatabaseGroup group = ReplicaNode.NewGroup(NewLineage(), Tag, []);
        _state.Databases.Records.Write([new(BegunPrefix + folded, Encoding.ASCII.GetBytes(group.Lineage))]);
        StoreTxnResult done = await CreateInStoreAsync(name, named, null, group, _stop.Token).ConfigureAwait(false);
        if (done is { Status: StoreStatus.Ok, Succeeded: true })
        {
            _state.Databases.TryTakeRecord(name, named);
            Note(name, done.Revision);
            ClusterLog.Registered(_log, name);
        }
    }

    private async Task LeaveAsync(string name, GroupEntry entry, bool isHard)
    {
        if (entry.Host is not null && _node is { } node)
        {
            await node.RemoveAsync(entry.Name).ConfigureAwait(false);
            entry.Host = null;
        }

        if (_notes.ContainsKey(Folded(name)))
        {
            _state.Operations.AbandonBulkInserts(name);
            _state.Backups.Forget(name);
            _state.Databases.TryDelete(name, isHard);
            Forget(name);
        }
    }

    private async ValueTask<StoreTxnResult> CreateInStoreAsync(
        string name, ReadOnlyMemory<byte> record, byte[]? settings, DatabaseGroup group, CancellationToken stop)
    {
        List<StoreCondition> conditions =
        [
            new(ClusterKeys.RecordOf(name), 0), new(ClusterKeys.GroupOf(name), 0),
            .. _secrets.Unchanged(record.Span),
        ];
        List<StoreChange> changes =
        [
            new(ClusterKeys.RecordOf(name), NamedRecord(name, record)), new(ClusterKeys.GroupOf(name), group.Write()),
        ];
        if (_store.Mirror.Find(GoneOf(name, null)) is not null)
        {
            changes.Add(new StoreChange(GoneOf(name, null), null));
        }

        if (settings is not null)
        {
            changes.Add(new StoreChange(SettingsOf(name), settings));
        }

        return await _store.Store.TxnAsync(new StoreTxn(conditions, changes), stop).ConfigureAwait(false);
    }

    private bool IsFlagSet(string key) => _store.Mirror.Find(key) is { Value.Length: > 0 } entry
        && entry.Value.Span[0] == (byte)'1';

    /// <summary>The record with the name in it as it was written: keys have small letters.</summary>
    private static byte[] NamedRecord(string name, ReadOnlyMemory<byte> record)
    {
        JsonObject json = JsonNode.Parse(record.Span)!.AsObject();
        if (json.ContainsKey("DatabaseName"))
        {
            return record.ToArray();
        }

        json["DatabaseName"] = name;
        return JsonSerializer.SerializeToUtf8Bytes(json);
    }

    private static string? NameIn(StoreEntry record)
    {
        try
        {
            string? name = (string?)JsonNode.Parse(record.Value.Span)?["DatabaseName"];
            return name is not null && record.Key == ClusterKeys.RecordOf(name) ? name : null;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    private static ulong NewLineage()
    {
        ulong lineage = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8));
        return lineage == 0 ? 1 : lineage;
    }

    private static string Folded(string name) => name.ToLowerInvariant();

    private void ReadNotes()
    {
        if (_areNotesRead)
        {
            return;
        }

        _areNotesRead = true;
        foreach ((string key, byte[] value) in _state.Databases.Records.Read(NotePrefix))
        {
            string[] parts = Encoding.ASCII.GetString(value).Split(' ');
            if (parts.Length == 2 && long.TryParse(parts[0], CultureInfo.InvariantCulture, out long revision)
                && long.TryParse(parts[1], CultureInfo.InvariantCulture, out long etag))
            {
                _notes[key[NotePrefix.Length..]] = new DatabaseNote(revision, etag);
            }
        }
    }

    /// <summary>Notes durably that a database is the cluster's, and which record of it is the catalog's.</summary>
    private void Note(string name, long revision)
    {
        long etag = _state.Databases.TryGetRecord(name, out DatabaseRecord? record) ? record.Etag : 0;
        _notes[Folded(name)] = new DatabaseNote(revision, etag);
        _state.Databases.Records.Write(
            [new(
                NotePrefix + Folded(name),
                Encoding.ASCII.GetBytes(FormattableString.Invariant($"{revision} {etag}")))]);
    }

    private void Forget(string name)
    {
        _notes.Remove(Folded(name));
        _state.Databases.Records.Write([new(NotePrefix + Folded(name), null), new(BegunPrefix + Folded(name), null)]);
    }

    /// <summary>The history with which this node has last put a database of its own into the store.</summary>
    private string? BegunLineage(string name) =>
        _state.Databases.Records.Read(BegunPrefix + Folded(name)).FirstOrDefault(
            one => one.Key == BegunPrefix + Folded(name)).Value is { } lineage
            ? Encoding.ASCII.GetString(lineage)
            : null;

    private sealed record DatabaseNote(long Revision, long Etag);
}
