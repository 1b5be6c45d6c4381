using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Storage;

namespace Raven.Documents.Indexing;

//   IDXC-1  One change of the indexes at a time; it is durable before it is in effect.
//   IDXC-2  A changed definition is built beside the old index, which answers until the new one has caught up; then the
//           new one takes its place, in one transaction.

/// <summary>Creates, changes and deletes the indexes of a database. Any thread.</summary>
#pragma warning disable CA1001 // It has no handle, and a caller that waits for it goes on when the database is deleted.
public sealed class IndexChanges
#pragma warning restore CA1001
{
    private readonly DatabaseIndexes _owner;
    private readonly SemaphoreSlim _gate = new(1);

    internal IndexChanges(DatabaseIndexes owner)
    {
        _owner = owner;
        Maintenance = new IndexMaintenanceQueue(owner);
    }

    /// <summary>Work on the indexes that no caller waits for.</summary>
    internal IndexMaintenanceQueue Maintenance { get; }

    /// <summary>One change at a time (IDXC-1).</summary>
    internal SemaphoreSlim Gate => _gate;

    /// <summary>Creates an index, or changes the one of this name.</summary>
    /// <exception cref="IndexCompilationException">The definition is not valid.</exception>
    /// <exception cref="IndexLockedException">The existing index must not be changed.</exception>
    public async ValueTask<DatabaseIndex> PutAsync(IndexDefinition definition)
    {
        definition = Check(definition);
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            DatabaseIndex? old = _owner.Find(definition.Name);
            if (old is null)
            {
                return await AddAsync(definition, []).ConfigureAwait(false);
            }

            if (old.Definition.LockMode == IndexLockMode.LockedError)
            {
                throw new IndexLockedException(definition.Name);
            }

            if (old.Definition.LockMode == IndexLockMode.LockedIgnore)
            {
                return old;
            }

            return old.Definition.HasSameContent(definition)
                ? await KeepContentAsync(old, definition).ConfigureAwait(false)
                : await ReplaceAsync(old, definition).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Creates an index for queries, unless it exists by now.</summary>
    internal async ValueTask<DatabaseIndex> AddAutoAsync(IndexDefinition definition)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            DatabaseIndex? there = _owner.Find(definition.Name);
            if (there is not null && !AutoIndexes.AreSame(there.Definition, definition))
            {
                // Another index with other fields has the name (AUTO-3).
                string name = AutoIndexes.HashedNameOf(definition.AutoCollection, definition.AutoFields);
                definition = definition with { Name = name };
                there = _owner.Find(name);
            }

            if (there is null)
            {
                AutoIndexes.RequireRoom(_owner);
            }

            return there ?? await AddAsync(definition, []).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Deletes an index, and its replacement if one is being built.</summary>
    /// <returns>False if there is none.</returns>
    public async ValueTask<bool> DeleteAsync(string name)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            List<DatabaseIndex> gone = [.. new[] { _owner.Find(name), ReplacementOf(name) }.OfType<DatabaseIndex>()];
            if (gone.Count == 0)
            {
                return false;
            }

            await RemoveAsync(gone).ConfigureAwait(false);
            return true;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Drops the contents of an index, and indexes anew.</summary>
    /// <returns>False if there is none.</returns>
    public async ValueTask<bool> ResetAsync(string name)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_owner.Find(name) is not { } index)
            {
                return false;
            }

            IndexRecord record = index.Record with { Folder = _owner.NextFolder(), Fault = null };
            await WriteAsync([record], []).ConfigureAwait(false);
            index.Reset(record);
            return true;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Rebuilds an index whose analyzer has changed.</summary>
    internal async ValueTask RemakeAsync(string name)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_owner.Find(name) is { } index)
            {
                DatabaseIndex remade =
                    _owner.Create(index.Record with { Folder = _owner.NextFolder(), Fault = null });
                await WriteAsync([remade.Record], []).ConfigureAwait(false);
                _owner.Publish([remade], []);
                index.Remove();
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Copies an index into full pages, and replaces it by the copy; it is paused meanwhile, and
    /// answers queries.</summary>
    /// <returns>Its size on disk before and after, in bytes.</returns>
    /// <exception cref="RefusedException">There is none of that name, or it cannot be read.</exception>
    public async ValueTask<(long Before, long After)> CompactAsync(
        string name, bool mergesAll, CancellationToken cancellation)
    {
        await _gate.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            DatabaseIndex index = _owner.Find(name) ?? throw new RefusedException(
                RefusalReason.IndexMissing, $"There is no index '{name}'.");
            int pauses = _owner.Pause.Changes;
            bool wasPaused = index.IsPaused;
            index.IsPaused = true;
            IndexRecord record = index.Record with { Folder = _owner.NextFolder() };
            DatabaseIndex? compacted = null;
            try
            {
                (long, long) sizes = await Task.Factory.StartNew(
                    () => IndexCompaction.Run(_owner, index, record, mergesAll, cancellation), cancellation,
                    TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);
                compacted = _owner.Create(record);
                await WriteAsync([record], []).ConfigureAwait(false);
                _owner.Publish([compacted], []);
                index.Remove();
                _owner.Pause.Restore(compacted, wasPaused, pauses);
                return sizes;
            }
            catch
            {
                compacted?.Dispose();
                _owner.DeleteFolder(record);
                _owner.Pause.Restore(index, wasPaused, pauses);
                throw;
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Changes the parts of a definition that need no indexing anew: lock mode, priority, state.</summary>
    /// <returns>False if there is none.</returns>
    public async ValueTask<bool> UpdateAsync(string name, Func<IndexDefinition, IndexDefinition> change)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_owner.Find(name) is not { } index)
            {
                return false;
            }

            await UpdateAsync(index, change(index.Definition)).ConfigureAwait(false);
            return true;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Called when a replacement has caught up: it takes the place of the old index, on another thread than
    /// that of the index.</summary>
    internal void BeginSwap(DatabaseIndex replacement) =>
        Maintenance.Begin(replacement, IndexMaintenanceTask.Swap, () => SwapAsync(replacement));

    /// <summary>Called when the files of an index are damaged: it is rebuilt in another folder, on
    /// another thread.</summary>
    internal void BeginRebuild(DatabaseIndex index, IndexStorage damaged) =>
        Maintenance.Begin(index, IndexMaintenanceTask.Rebuild, () => RebuildAsync(index, damaged));

    /// <summary>Called when an index has stopped: the reason is stored (RUN-4), on another thread than that of
    /// the index.</summary>
    internal void BeginStoreFault(DatabaseIndex index) =>
        Maintenance.Begin(index, IndexMaintenanceTask.StoreFault, () => StoreFaultAsync(index));

    private async ValueTask StoreFaultAsync(DatabaseIndex index)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (ReferenceEquals(_owner.Find(index.Name), index) && index.Fault is { } fault)
            {
                // The record of a group is that of all nodes: a fault of one of them stays in its memory.
                if (_owner.Database.Replica is null)
                {
                    IndexRecord record = index.Record with { Fault = fault };
                    await WriteAsync([record], []).ConfigureAwait(false);
                    index.Update(record);
                }

                _owner.Notify("IndexMarkedAsErrored", index.Name);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    private async ValueTask RebuildAsync(DatabaseIndex index, IndexStorage damaged)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (ReferenceEquals(_owner.Find(index.Name), index) && ReferenceEquals(index.OpenedStorage, damaged))
            {
                await RenewAsync(index).ConfigureAwait(false);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    private async ValueTask RenewAsync(DatabaseIndex index)
    {
        if (_owner.Database.Replica is not null)
        {
            _owner.Followed.Renew(index);
            return;
        }

        IndexRecord record = index.Record with { Folder = _owner.NextFolder(), Fault = null };
        await WriteAsync([record], []).ConfigureAwait(false);
        index.Reset(record, keepsFailures: true);
    }

    private async ValueTask SwapAsync(DatabaseIndex replacement)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            string name = replacement.Name;
            if (!_owner.Database.IsWriter || !ReferenceEquals(_owner.Find(name), replacement)
                || !name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase))
            {
                return;
            }

            string finalName = name[IndexRecord.ReplacementPrefix.Length..];
            DatabaseIndex? old = _owner.Find(finalName);
            IndexRecord record = replacement.Record with
            {
                Definition = replacement.Definition with { Name = finalName },
            };
            await WriteAsync([record], [name]).ConfigureAwait(false);
            replacement.Update(record);
            _owner.Publish([replacement], [name]);
            old?.Remove();
            _owner.Notify("SideBySideReplace", finalName);
            IndexLog.Changed(_owner.Services.Log, _owner.Database.Name, finalName, "replaced");
        }
        finally
        {
            _gate.Release();
        }
    }

    private DatabaseIndex? ReplacementOf(string name) => _owner.Find(IndexRecord.ReplacementPrefix + name);

    private async ValueTask<DatabaseIndex> AddAsync(IndexDefinition definition, IReadOnlyList<DatabaseIndex> gone)
    {
        var record = new IndexRecord(definition, _owner.NextFolder(), _owner.Services.Clock.GetUtcNow());
        DatabaseIndex index = _owner.Create(record);
        string[] names = [.. gone.Select(one => one.Name)];
        try
        {
            await WriteAsync([record], names).ConfigureAwait(false);
        }
        catch
        {
            index.Dispose();
            throw;
        }

        _owner.Publish([index], names);
        foreach (DatabaseIndex one in gone)
        {
            one.Remove();
        }

        _owner.Notify("IndexAdded", definition.Name);
        IndexLog.Changed(_owner.Services.Log, _owner.Database.Name, definition.Name, "made");
        return index;
    }

    private async ValueTask<DatabaseIndex> KeepContentAsync(DatabaseIndex old, IndexDefinition definition)
    {
        if (ReplacementOf(definition.Name) is { } abandoned)
        {
            await RemoveAsync([abandoned]).ConfigureAwait(false);
        }

        await UpdateAsync(
            old,
            old.Definition with
            {
                LockMode = definition.LockMode,
                Priority = definition.Priority,
                State = definition.State ?? old.Definition.State,
                DeploymentMode = definition.DeploymentMode,
                ArchivedDataProcessingBehavior = definition.ArchivedDataProcessingBehavior,
            }).ConfigureAwait(false);
        return old;
    }

    private async ValueTask<DatabaseIndex> ReplaceAsync(DatabaseIndex old, IndexDefinition definition)
    {
        IndexDefinition beside = definition with { Name = IndexRecord.ReplacementPrefix + old.Name };
        DatabaseIndex? former = _owner.Find(beside.Name);
        if (former is not null && former.Definition.HasSameContent(beside))
        {
            return former;
        }

        return await AddAsync(beside, former is null ? [] : [former]).ConfigureAwait(false);
    }

    private async ValueTask UpdateAsync(DatabaseIndex index, IndexDefinition definition)
    {
        if (index.Definition == definition)
        {
            return;
        }

        IndexDefinition former = index.Definition;
        IndexRecord record = index.Record with { Definition = definition };
        await WriteAsync([record], []).ConfigureAwait(false);
        index.Update(record);
        NotifyUpdate(former, definition);
    }

    /// <summary>Notifies connections that watch of a change, by the names that clients know; that an index is resumed
    /// has no name.</summary>
    private void NotifyUpdate(IndexDefinition former, IndexDefinition now)
    {
        if (now.LockMode != former.LockMode)
        {
            _owner.Notify("LockModeChanged", now.Name);
        }

        if (now.Priority != former.Priority)
        {
            _owner.Notify("PriorityChanged", now.Name);
        }

        if (now.State == IndexState.Disabled && former.State != IndexState.Disabled)
        {
            _owner.Notify("IndexDemotedToDisabled", now.Name);
        }
    }

    private async ValueTask RemoveAsync(List<DatabaseIndex> gone)
    {
        string[] names = [.. gone.Select(index => index.Name)];
        await WriteAsync([], names).ConfigureAwait(false);
        _owner.Publish([], names);
        foreach (DatabaseIndex index in gone)
        {
            index.Remove();
            _owner.Notify("IndexRemoved", index.Name);
            IndexLog.Changed(_owner.Services.Log, _owner.Database.Name, index.Name, "deleted");
        }
    }

    private ValueTask WriteAsync(IReadOnlyList<IndexRecord> put, IReadOnlyList<string> deleted) =>
        _owner.Database.SubmitAsync(new IndexRecordsCommand(put, deleted));

    private IndexDefinition Check(IndexDefinition definition)
    {
        string name = definition.Name;
        if (string.IsNullOrWhiteSpace(name) || name.Length > IndexDefinition.NameLengthMax)
        {
            throw new IndexCompilationException(
                $"The name of an index must have 1 to {IndexDefinition.NameLengthMax} characters.");
        }

        if (name.Any(char.IsControl))
        {
            throw new IndexCompilationException("The name of an index must not have control characters.");
        }

        if (name.StartsWith(AutoIndexes.NamePrefix, StringComparison.OrdinalIgnoreCase)
            || name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase))
        {
            throw new IndexCompilationException($"'{name}': names that begin so are the server's own.");
        }

        if (definition.Maps.Count == 0 || definition.Maps.Any(string.IsNullOrWhiteSpace))
        {
            throw new IndexCompilationException($"The index '{name}' has no map, or an empty one.");
        }

        if (IndexSettings.Check(definition.Configuration) is { } problem)
        {
            throw new IndexCompilationException($"The index '{name}': {problem}");
        }

        if (definition.Settings.MissingAreNull && definition.Maps.Any(LanguageDetection.IsJavaScript))
        {
            throw new IndexCompilationException(
                $"The index '{name}': a map in JavaScript gives objects of its own, of which no field is missing: "
                + "Indexing.IndexMissingFieldsAsNull is for maps in C#.");
        }

        if (definition.WantedEngine == IndexEngine.Lucene
            && definition.Fields.FirstOrDefault(field => field.Value.Vector is not null).Key is { } vectors)
        {
            throw new IndexCompilationException(
                $"The index '{name}': the field '{vectors}' has vectors, which are kept by the engine Corax: leave out "
                + "Indexing.Static.SearchEngineType, or set it to Corax.");
        }

        foreach (string field in definition.Fields.Keys.Append(IndexFieldOptions.AllFields))
        {
            FieldMapping.Of(field, definition.OptionsOf(field), _owner.FindAnalyzer);
        }

        return definition with { Type = TypeOf(definition), AutoFields = [], AutoCollection = null };
    }

    private static IndexType TypeOf(IndexDefinition definition)
    {
        bool isJavaScript = LanguageDetection.IsJavaScript(definition.Maps[0])
            || definition.Type is IndexType.JavaScriptMap or IndexType.JavaScriptMapReduce;
        return (isJavaScript, definition.Reduce is not null) switch
        {
            (true, true) => IndexType.JavaScriptMapReduce,
            (true, false) => IndexType.JavaScriptMap,
            (false, true) => IndexType.MapReduce,
            _ => IndexType.Map,
        };
    }
}
