using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session.Loaders;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on one time series that all kinds of them have, asynchronous and blocking.</summary>
/// <param name="session">The session.</param>
/// <param name="id">The document.</param>
/// <param name="name">The name of the series.</param>
internal abstract class SessionSeriesReader<TEntry>(AsyncDocumentSession session, string id, string name)
    : IAsyncSessionTimeSeriesReader<TEntry>, ISessionTimeSeriesReader<TEntry>
{
    /// <summary>What the next save does to the series.</summary>
    private TimeSeriesOperation Changes
    {
        get
        {
            TimeSeriesBatchCommandData? command = session.Deferred.OfType<TimeSeriesBatchCommandData>()
                .FirstOrDefault(known => IsSame(known.Id, id) && IsSame(known.TimeSeries.Name, name));
            if (command is null)
            {
                command = new TimeSeriesBatchCommandData(id, name);
                session.Deferred.Add(command);
            }

            return command.TimeSeries;
        }
    }

    public async Task<TEntry[]?> GetAsync(
        DateTime? from = null, DateTime? to = null, int start = 0, int pageSize = int.MaxValue,
        CancellationToken cancellationToken = default)
    {
        Check(from, to, start, pageSize);
        if (session.Series.Find(id, name, from, to) is { } known)
        {
            return Convert(known.Skip(start).Take(pageSize));
        }

        return await ReadAsync(
            new GetTimeSeriesCommand(id, name, from, to) { Start = start, PageSize = pageSize }, cancellationToken)
            .ConfigureAwait(false);
    }

    public Task<TEntry[]?> GetAsync(
        DateTime? from, DateTime? to, Action<ITimeSeriesIncludeBuilder> includes, int start = 0,
        int pageSize = int.MaxValue, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(includes);
        Check(from, to, start, pageSize);
        var builder = new TimeSeriesIncludeBuilder();
        includes(builder);
        return ReadAsync(
            new GetTimeSeriesCommand(id, name, from, to)
            {
                Start = start, PageSize = pageSize, HasTags = builder.HasTags, HasDocument = builder.HasDocument,
            },
            cancellationToken);
    }

    public async IAsyncEnumerable<TEntry> StreamAsync(
        DateTime? from = null, DateTime? to = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        DocumentLines? lines = await session.ExecuteAsync(
            new StreamTimeSeriesCommand(id, name, from, to), cancellationToken).ConfigureAwait(false);
        if (lines is null)
        {
            yield break;
        }

        List<double> values = [];
        await using ConfiguredAsyncDisposable scope = lines.ConfigureAwait(false);
        await foreach (JsonElement line in lines.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return Convert(Parse(line, values));
        }
    }

    public TEntry[]? Get(DateTime? from = null, DateTime? to = null, int start = 0, int pageSize = int.MaxValue) =>
        GetAsync(from, to, start, pageSize).GetAwaiter().GetResult();

    public TEntry[]? Get(
        DateTime? from, DateTime? to, Action<ITimeSeriesIncludeBuilder> includes, int start = 0,
        int pageSize = int.MaxValue) =>
        GetAsync(from, to, includes, start, pageSize).GetAwaiter().GetResult();

    public IEnumerable<TEntry> Stream(DateTime? from = null, DateTime? to = null) =>
        StreamAsync(from, to).ToBlockingEnumerable();

    public void Delete(DateTime? from = null, DateTime? to = null)
    {
        TimeSeriesOperation.CheckRange(from, to);
        Changes.Delete(new TimeSeriesOperation.DeleteOperation { From = from, To = to });
    }

    public void Delete(DateTime at) => Delete(at, at);

    private protected void AppendValues(DateTime timestamp, double[] values, string? tag)
    {
        TimeSeriesOperation.CheckValues(values);
        TimeSeriesOperation.CheckTag(tag);
        Changes.Append(new TimeSeriesOperation.AppendOperation { Timestamp = timestamp, Values = values, Tag = tag });
    }

    private protected void IncrementValues(DateTime? timestamp, double[] values)
    {
        TimeSeriesOperation.CheckValues(values);
        Changes.Increment(new TimeSeriesOperation.IncrementOperation { Timestamp = timestamp, Values = values });
    }

    /// <summary>An entry as this kind of series has it.</summary>
    private protected abstract TEntry Convert(TimeSeriesEntry entry);

    private static bool IsSame(string left, string right) => left.Equals(right, StringComparison.OrdinalIgnoreCase);

    private static void Check(DateTime? from, DateTime? to, int start, int pageSize)
    {
        TimeSeriesOperation.CheckRange(from, to);
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfNegative(pageSize);
    }

    private static TimeSeriesEntry Parse(JsonElement line, List<double> values)
    {
        var reader = new Utf8JsonReader(JsonMarshal.GetRawUtf8Value(line));
        reader.Read();
        return SeriesJson.ReadEntry(ref reader, values);
    }

    private async Task<TEntry[]?> ReadAsync(GetTimeSeriesCommand command, CancellationToken cancellationToken)
    {
        TimeSeriesRangeResult? range =
            await session.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        if (range is null)
        {
            return null;
        }

        session.RegisterIncludes(range.Included);

        // Of a page behind the end it is not known where it would begin, and of one of nothing where it would end.
        if (!session.Options.NoTracking && command.PageSize > 0 && (command.Start == 0 || range.Entries.Length > 0))
        {
            session.Series.Add(id, name, range);
        }

        return Convert(range.Entries);
    }

    private TEntry[] Convert(IEnumerable<TimeSeriesEntry> entries) => [.. entries.Select(Convert)];
}
