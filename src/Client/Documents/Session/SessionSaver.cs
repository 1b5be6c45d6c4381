using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Exceptions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>
/// One save: collects the changes, sends them as one transaction, and applies the answer to the session. A refused save
/// leaves the session as it was, so that it can be repeated. If a save was written but its wait for indexes timed out,
/// the answer is applied before the error is thrown: repeating the save would write twice.
/// </summary>
internal sealed class SessionSaver(SessionCore session)
{
    internal async Task SaveAsync(CancellationToken cancellationToken)
    {
        SaveBatch batch = Prepare();
        if (batch.Commands.Count == 0)
        {
            return;
        }

        var command = new BatchCommand(session.Conventions, batch.Commands, session.Mode, session.IndexWait);
        JsonElement results;
        try
        {
            results = await session.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        }
        catch (RavenTimeoutException e) when (e.BatchResults is { } written)
        {
            session.IndexWait = null;
            Apply(batch, written);
            throw;
        }

        session.IndexWait = null;
        Apply(batch, results);
    }

    private SaveBatch Prepare()
    {
        var batch = new SaveBatch();
        AddDeletions(batch);
        foreach (DocumentInfo info in session.Documents.All.ToArray())
        {
            AddPut(batch, info);
        }

        foreach (ICommandData command in session.Deferred)
        {
            bool isTracked = session.Documents.TryFind(command.Id, out DocumentInfo? info);
            if (command is PatchCommandData patch)
            {
                patch.ReturnDocument = isTracked;
            }

            batch.Add(command, isTracked ? info : null);
        }

        if (session.OptimisticConcurrencyMode == OptimisticConcurrencyMode.WritesAndReads)
        {
            AddReads(batch);
        }

        return batch;
    }

    /// <summary>Adds the versions of the documents that the session knows and the save does not write.</summary>
    private void AddReads(SaveBatch batch)
    {
        HashSet<string> written = new(batch.Commands.Select(command => command.Id), StringComparer.OrdinalIgnoreCase);
        Dictionary<string, string> versions = session.Documents.All
            .Where(info => info.ChangeVector is { Length: > 0 } && !written.Contains(info.Id))
            .ToDictionary(info => info.Id, info => info.ChangeVector!);
        if (versions.Count > 0)
        {
            batch.Add(new TrackedVersionsCommandData(versions));
        }
    }

    private void AddDeletions(SaveBatch batch)
    {
        foreach (DocumentInfo info in session.Documents.All.Where(info => info.IsDeleted).ToArray())
        {
            session.Events.OnBeforeDelete(session, new BeforeDeleteEventArgs(session.Self, info.Id, info.Entity));
            string? expected =
                info.ExpectedChangeVector ?? (session.UseOptimisticConcurrency ? info.ChangeVector : null);
            batch.Add(new DeleteCommandData(info.Id, expected), info);
        }

        foreach ((string id, string? expected) in session.Documents.DeletedIds)
        {
            session.Events.OnBeforeDelete(session, new BeforeDeleteEventArgs(session.Self, id, null));
            batch.Add(new DeleteCommandData(id, expected));
        }
    }

    private void AddPut(SaveBatch batch, DocumentInfo info)
    {
        if (info.IsDeleted || info.IgnoresChanges
            || !session.Writer.TryGetChanged(info, out ReadOnlyMemory<byte> json))
        {
            return;
        }

        if (session.Events.WatchesStores)
        {
            session.Events.OnBeforeStore(
                session, new BeforeStoreEventArgs(session.Self, info.Id, info.Entity, () => info.Metadata));
            if (!session.Writer.TryGetChanged(info, out json))
            {
                return;
            }
        }

        string? expected = info.ExpectedChangeVector;
        if (expected is null && session.UseOptimisticConcurrency && !SessionDocuments.IsCompletedByServer(info.Id))
        {
            expected = info.ChangeVector ?? "";
        }

        batch.Add(new PutCommandData(info.Id, expected, json), info);
    }

    private void Apply(SaveBatch batch, JsonElement results)
    {
        int number = 0;
        foreach (JsonElement result in results.EnumerateArray())
        {
            if (number >= batch.Commands.Count)
            {
                break;
            }

            ApplyOne(batch.Commands[number], batch.Entities[number], result);
            number++;
        }

        session.Documents.DeletedIds.Clear();
        session.Deferred.Clear();
        foreach ((ICommandData command, DocumentInfo? info) in batch.Commands.Zip(batch.Entities))
        {
            if (command is PutCommandData && info != null)
            {
                session.Events.OnAfterSaveChanges(
                    session, new AfterSaveChangesEventArgs(session.Self, info.Id, info.Entity));
            }
        }
    }

    private void ApplyOne(ICommandData command, DocumentInfo? info, JsonElement result)
    {
        if (command is PatchCommandData)
        {
            // Its script may have changed any series of the document.
            session.Series.Forget(command.Id);
        }

        switch (command)
        {
            case PutCommandData put when info != null:
                ApplyPut(put, info, result);
                break;
            case DeleteCommandData delete:
                if (info != null)
                {
                    session.Documents.Remove(info);
                }

                session.Documents.SetMissing(delete.Id);
                session.Counters.Forget(delete.Id);
                session.Series.Forget(delete.Id);
                break;
            case TimeSeriesBatchCommandData or IncrementalTimeSeriesBatchCommandData or CopyTimeSeriesCommandData:
                ApplySeries(command, result);
                break;
            case PatchCommandData when info != null
                && result.TryGetProperty("ModifiedDocument", out JsonElement document)
                && document.ValueKind == JsonValueKind.Object:
                ApplyPatch(info, document, result);
                break;
            case CompareExchangeCommandData value:
                session.CompareExchange.Remove(value.Id);
                break;
            case CountersBatchCommandData counters:
                ApplyCounters(counters, result);
                SetChangeVector(info, result, "DocumentChangeVector");
                break;
            default:
                SetChangeVector(info, result, "DocumentChangeVector");
                break;
        }
    }

    private void ApplyPut(PutCommandData put, DocumentInfo info, JsonElement result)
    {
        string id = result.GetProperty("@id").GetString()!;
        string changeVector = result.GetProperty("@change-vector").GetString()!;
        info.SetSaved(put.Json, changeVector);
        if (!string.Equals(id, info.Id, StringComparison.Ordinal))
        {
            session.Documents.Rename(info, id);
            session.Conventions.Serializer.SetId(info.Entity, id);
        }

        foreach (JsonProperty property in result.EnumerateObject())
        {
            if (property.Name != "Type" && property.Value.ValueKind == JsonValueKind.String)
            {
                info.Metadata.SetFromServer(property.Name, property.Value.GetString());
            }
        }
    }

    private void ApplyPatch(DocumentInfo info, JsonElement document, JsonElement result)
    {
        session.Overwrite(info, AnswerBody.Copy(document));
        SetChangeVector(info, result, "ChangeVector");
    }

    private static void SetChangeVector(DocumentInfo? info, JsonElement result, string name)
    {
        if (info != null && result.TryGetProperty(name, out JsonElement vector)
            && vector.ValueKind == JsonValueKind.String)
        {
            info.ChangeVector = vector.GetString();
            info.TouchedMetadata?.SetFromServer("@change-vector", info.ChangeVector);
        }
    }

    /// <summary>Forgets the series that was changed, and takes the new version of its document.</summary>
    private void ApplySeries(ICommandData command, JsonElement result)
    {
        (string id, string name) = command switch
        {
            TimeSeriesBatchCommandData plain => (plain.Id, plain.TimeSeries.Name),
            IncrementalTimeSeriesBatchCommandData incremental => (incremental.Id, incremental.TimeSeries.Name),
            CopyTimeSeriesCommandData copy => (copy.DestinationId, copy.DestinationName),
            _ => (command.Id, ""),
        };
        session.Series.Forget(id, name);
        SetChangeVector(session.Documents.Find(id), result, "DocumentChangeVector");
    }

    private void ApplyCounters(CountersBatchCommandData command, JsonElement result)
    {
        if (!result.TryGetProperty("CountersDetail", out JsonElement detail)
            || !detail.TryGetProperty("Counters", out JsonElement counters))
        {
            session.Counters.Forget(command.Id);
            return;
        }

        foreach (JsonElement counter in counters.EnumerateArray())
        {
            if (counter.ValueKind == JsonValueKind.Object)
            {
                string name = counter.GetProperty("CounterName").GetString()!;
                long? value = counter.TryGetProperty("TotalValue", out JsonElement total)
                    && total.ValueKind == JsonValueKind.Number && !command.HasDelete(name) ? total.GetInt64() : null;
                session.Counters.Set(command.Id, [new(name, value)], isAll: false);
            }
        }

        foreach (string name in command.DeletedNames)
        {
            session.Counters.Set(command.Id, [new(name, null)], isAll: false);
        }
    }
}
