using System.IO.Hashing;
using System.Text;
using Raven.Documents.Indexing.Definitions;

namespace Raven.Documents.Indexing;

//   AUTO-1  A query is answered by the smallest index of its collection that has all of its fields.
//   AUTO-2  If there is none, a new automatic index is made, with the fields of the query and those of the collection's
//           other automatic indexes. When it has caught up, those are not needed any more and are deleted.
//   AUTO-3  The fields of an index are in its definition. Its name is only for people, and names of different fields
//           may be the same text (A.B and A_B, Tags and Tags[], Name and name): the later one is named by a hash of
//           its fields.

/// <summary>Finds, makes and deletes automatic indexes. Any thread.</summary>
internal sealed class AutoIndexes(DatabaseIndexes owner)
{
    /// <summary>The prefix of the names of automatic indexes.</summary>
    internal const string NamePrefix = "Auto/";

    private const int FieldsMax = 64;

    private static readonly TimeSpan RetireInterval = TimeSpan.FromSeconds(1);

    private long _retiredAt;

    /// <summary>The index that serves a query; it is made if there is none.</summary>
    /// <param name="collection">The collection; null for all documents.</param>
    /// <param name="fields">The fields that it must have.</param>
    /// <param name="isNew">Whether it was made now.</param>
    internal ValueTask<DatabaseIndex> FindOrAddAsync(
        string? collection, IReadOnlyList<AutoField> fields, out bool isNew)
    {
        DatabaseIndex? found = Find(collection, fields);
        isNew = found is null;
        return found is null ? AddAsync(collection, fields) : ValueTask.FromResult(found);
    }

    /// <summary>The index that would serve a query; null if one would be made.</summary>
    internal DatabaseIndex? Find(string? collection, IReadOnlyList<AutoField> fields)
    {
        bool isReduce = IsReduce(fields);
        DatabaseIndex? best = null;
        foreach (DatabaseIndex index in owner.All)
        {
            if (Serves(index, collection, fields, isReduce)
                && (best is null || index.Definition.AutoFields.Count < best.Definition.AutoFields.Count))
            {
                best = index;
            }
        }

        return best;
    }

    /// <summary>The name of the index that would be made for a query: it has the fields of others, too (AUTO-2).
    /// </summary>
    internal string NameOfNew(string? collection, IReadOnlyList<AutoField> fields) =>
        NameOf(collection, Merge(collection, fields));

    /// <summary>The automatic indexes of a collection with the grouping of a query, or without grouping if it has none.
    /// An index whose fields are all in another one will be deleted, and is left out.</summary>
    internal IReadOnlyList<DatabaseIndex> LikelyOf(string? collection, IReadOnlyList<AutoField> fields)
    {
        IndexType type = IsReduce(fields) ? IndexType.AutoMapReduce : IndexType.AutoMap;
        DatabaseIndex[] all = [.. owner.All.Where(index =>
            index.Definition.Type == type && IsOf(index.Definition, collection))];
        return [.. all.Where(index => !Array.Exists(all, other =>
            other.Definition.AutoFields.Count > index.Definition.AutoFields.Count
            && Serves(other, collection, index.Definition.AutoFields, type == IndexType.AutoMapReduce)))];
    }

    /// <summary>Whether an index may answer queries of a collection: an automatic index must be of just this
    /// collection, a static one must read its documents.</summary>
    internal static bool IsLookedAt(DatabaseIndex index, string? collection) => index.Definition.IsAuto
        ? IsOf(index.Definition, collection)
        : index.Collections.Count == 0
            || (collection is not null && index.Collections.Contains(collection, StringComparer.OrdinalIgnoreCase));

    /// <summary>Why an index of the collection does not serve a query: for <c>explain</c>.</summary>
    internal string WhyNot(DatabaseIndex index, string? collection, IReadOnlyList<AutoField> fields)
    {
        IndexDefinition definition = index.Definition;
        if (!definition.IsAuto)
        {
            return "It was defined by a user: queries name it ('from index').";
        }

        bool isReduce = IsReduce(fields);
        if (isReduce != (definition.Type == IndexType.AutoMapReduce))
        {
            return isReduce ? "It does not group." : "It groups, and the query does not.";
        }

        if (isReduce && !SameKeys(definition.AutoFields, fields))
        {
            return "It groups by other fields.";
        }

        AutoField? missing = fields.FirstOrDefault(field => !definition.AutoFields.Any(one => one.Covers(field)));
        return missing is null
            ? index.Fault ?? "It serves the query; a smaller one was preferred."
            : $"It has no field '{NameOf(missing)}'.";
    }

    /// <summary>Deletes indexes that others cover, and those that were not queried for a long time.</summary>
    internal void Retire()
    {
        TimeProvider clock = owner.Services.Clock;
        if ((_retiredAt != 0 && clock.GetElapsedTime(_retiredAt) < RetireInterval) || !owner.Database.IsWriter)
        {
            return;
        }

        _retiredAt = clock.GetTimestamp();
        DatabaseIndex[] auto = [.. owner.All.Where(index => index.Definition.IsAuto)];
        foreach (DatabaseIndex index in auto)
        {
            if (index.Use.TryBeginLoad())
            {
                // The time of its last query is in its files, and a stopped index would not be opened otherwise.
                index.TryHold()?.Release();
            }

            // In a group other nodes may query what this one has not been asked for.
            if (IsSuperseded(index, auto)
                || (owner.Database.Replica is null && index.Use.IsUnusedFor(owner.Services.Options.AutoDeleteAfter)))
            {
                DeleteInBackground(index);
            }
            else
            {
                SetIdle(index, index.Use.IsUnusedFor(owner.Services.Options.AutoIdleAfter));
            }
        }
    }

    /// <summary>Sets whether an index is idle, and notifies the connections that watch indexes if
    /// that changed.</summary>
    private void SetIdle(DatabaseIndex index, bool isIdle)
    {
        index.Use.IsIdle = isIdle;
        if (index.Use.IsNotifiedIdle != isIdle)
        {
            index.Use.IsNotifiedIdle = isIdle;
            owner.Notify(isIdle ? "IndexDemotedToIdle" : "IndexPromotedFromIdle", index.Name);
        }
    }

    /// <summary>The name of an index: <c>Auto/Users/ByAgeAndName</c>.</summary>
    internal static string NameOf(string? collection, IReadOnlyList<AutoField> fields)
    {
        var name = new StringBuilder(NamePrefix).Append(collection ?? "AllDocs");
        bool isReduce = IsReduce(fields);
        string[] values = [.. fields.Where(field => field.Aggregate != AggregateKind.Key).Select(NameOf)
            .Order(NameCollation.Comparer)];
        if (values.Length > 0)
        {
            name.Append("/By").AppendJoin("And", values);
        }

        if (isReduce)
        {
            name.Append("ReducedBy").AppendJoin("And", fields.Where(field => field.Aggregate == AggregateKind.Key)
                .Select(NameOf).Order(NameCollation.Comparer));
        }

        // A name that lists hundreds of fields would be too long.
        return name.Length <= IndexDefinition.NameLengthMax ? name.ToString() : HashedNameOf(collection, fields);
    }

    /// <summary>A name that no index with other fields has (AUTO-3).</summary>
    internal static string HashedNameOf(string? collection, IReadOnlyList<AutoField> fields)
    {
        var text = new StringBuilder();
        foreach (AutoField field in fields)
        {
            text.Append(field.Aggregate).Append(' ').Append(field.Path).Append('\0').Append(field.HasExact)
                .Append(field.HasSearch).Append(field.IsWhole).Append('\n');
        }

        ulong hash = XxHash3.HashToUInt64(Encoding.UTF8.GetBytes(text.ToString()));
        return $"{NamePrefix}{collection ?? "AllDocs"}/By{fields.Count}Fields-{hash:x16}";
    }

    /// <summary>Refuses another index if queries have made as many as they may: each one costs files and work, and
    /// whoever may read may query.</summary>
    /// <exception cref="RefusedException">There is no room.</exception>
    internal static void RequireRoom(DatabaseIndexes owner)
    {
        int most = owner.Services.Options.AutoIndexesMax;
        if (owner.All.Count(index => index.Definition.IsAuto) >= most)
        {
            throw new RefusedException(
                RefusalReason.InvalidQuery,
                $"The query needs an index of its own, and the database has {most} that queries have made, the most "
                + "that it may have (Limits.AutoIndexes). Unused ones are deleted in time; an administrator can delete "
                + "some, or define an index that serves more queries.");
        }
    }

    /// <summary>Whether two definitions make the same index.</summary>
    internal static bool AreSame(IndexDefinition left, IndexDefinition right) =>
        left.Type == right.Type && IsOf(left, right.AutoCollection) && left.AutoFields.SequenceEqual(right.AutoFields);

    private static string NameOf(AutoField field)
    {
        if (field.Spatial is { } place)
        {
            return place.Longitude is null ? $"Spatial.wkt({place.First})"
                : $"Spatial.point({place.First}|{place.Longitude})";
        }

        if (field.Vector is { } vector)
        {
            return $"Vector.search({vector.Expression.Replace('.', '_')})";
        }

        string path = field.Name.Replace("[]", "", StringComparison.Ordinal).Replace('.', '_').Replace('/', '_');
        if (field.IsWhole)
        {
            return $"array({path})";
        }

        return (field.HasExact, field.HasSearch) switch
        {
            (true, true) => $"ExactAndSearch({path})",
            (true, false) => $"Exact({path})",
            (false, true) => $"Search({path})",
            _ => path,
        };
    }

    private async ValueTask<DatabaseIndex> AddAsync(string? collection, IReadOnlyList<AutoField> fields)
    {
        List<AutoField> merged = Merge(collection, fields);
        string name = NameOf(collection, merged);
        bool isReduce = IsReduce(merged);
        var definition = new IndexDefinition
        {
            Name = name,
            Maps = [Describe(collection, merged)],
            Type = isReduce ? IndexType.AutoMapReduce : IndexType.AutoMap,
            AutoCollection = collection,
            AutoFields = merged,
        };
        DatabaseIndex index = await owner.Changes.AddAutoAsync(definition).ConfigureAwait(false);
        return index;
    }

    private List<AutoField> Merge(string? collection, IReadOnlyList<AutoField> fields)
    {
        SortedDictionary<string, AutoField> merged = new(StringComparer.Ordinal);
        Take(fields);
        if (!IsReduce(fields))
        {
            foreach (IReadOnlyList<AutoField> there in WidestOf(collection))
            {
                if (CountWith(there) <= FieldsMax)
                {
                    Take(there);
                }
            }
        }

        return [.. merged.Values];

        // A field that both have counts once.
        int CountWith(IEnumerable<AutoField> more) =>
            merged.Count + more.Count(field => !merged.ContainsKey(KeyOf(field)));

        void Take(IEnumerable<AutoField> more)
        {
            foreach (AutoField field in more)
            {
                string key = KeyOf(field);
                merged[key] = merged.TryGetValue(key, out AutoField? there)
                    ? there with
                    {
                        HasExact = there.HasExact || field.HasExact,
                        HasSearch = there.HasSearch || field.HasSearch,
                    }
                    : field;
            }
        }
    }

    /// <summary>The fields of the widest indexes of a collection, those whose fields no other one has: the others will
    /// be deleted, and would take room from new fields.</summary>
    private List<IReadOnlyList<AutoField>> WidestOf(string? collection)
    {
        List<(IReadOnlyList<AutoField> Fields, Dictionary<string, AutoField> ByKey)> all = [.. owner.All
            .Where(index => index.Definition.Type == IndexType.AutoMap && IsOf(index.Definition, collection)
                && index.Fault is null)
            .Select(index => index.Definition.AutoFields)
            .Select(fields => (fields, fields.DistinctBy(KeyOf).ToDictionary(KeyOf)))];
        return [.. all
            .Where(one => !all.Exists(other => other.Fields.Count > one.Fields.Count
                && one.ByKey.All(field => other.ByKey.TryGetValue(field.Key, out AutoField? its)
                    && its.Covers(field.Value))))
            .Select(one => one.Fields)];
    }

    private static string KeyOf(AutoField field) => $"{field.Aggregate}:{field.Path}";

    private static string Describe(string? collection, List<AutoField> fields) =>
        $"from {collection ?? "@all_docs"}: {string.Join(", ", fields.Select(NameOf))}";

    private static bool IsReduce(IEnumerable<AutoField> fields) =>
        fields.Any(field => field.Aggregate != AggregateKind.None);

    private static bool Serves(
        DatabaseIndex index, string? collection, IReadOnlyList<AutoField> fields, bool isReduce)
    {
        IndexDefinition definition = index.Definition;
        return definition.IsAuto && index.Fault is null && IsOf(definition, collection)
            && isReduce == (definition.Type == IndexType.AutoMapReduce)
            && (!isReduce || SameKeys(definition.AutoFields, fields))
            && fields.All(field => definition.AutoFields.Any(one => one.Covers(field)));
    }

    private static bool SameKeys(IEnumerable<AutoField> left, IEnumerable<AutoField> right) =>
        Keys(left).SetEquals(Keys(right));

    private static HashSet<string> Keys(IEnumerable<AutoField> fields) =>
        [.. fields.Where(field => field.Aggregate == AggregateKind.Key)
            .Select(field => field.IsWhole ? $"array({field.Path})" : field.Path)];

    private static bool IsOf(IndexDefinition definition, string? collection) =>
        string.Equals(definition.AutoCollection, collection, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether another index makes this one unnecessary: it has all of its fields, and is as far, or has
    /// caught up at some time. The latter is enough, since during constant writes a large index is always a batch
    /// behind a small one.</summary>
    private static bool IsSuperseded(DatabaseIndex index, DatabaseIndex[] auto) => Array.Exists(auto, other =>
        !ReferenceEquals(other, index)
        && other.Definition.AutoFields.Count >= index.Definition.AutoFields.Count
        && (other.CoveredEtag >= index.CoveredEtag || other.Maintenance.HasCaughtUp)
        && other.IsRunning
        && Serves(
            other, index.Definition.AutoCollection, index.Definition.AutoFields,
            index.Definition.Type == IndexType.AutoMapReduce)
        && (other.Definition.AutoFields.Count > index.Definition.AutoFields.Count
            || other.Record.Folder > index.Record.Folder));

    private async void DeleteInBackground(DatabaseIndex index)
    {
        try
        {
            await owner.Changes.DeleteAsync(index.Name).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            // The next call tries again; no caller handles the failure.
            IndexLog.Failed(owner.Services.Log, failure, owner.Database.Name, index.Name);
        }
    }
}
