using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>The ranges of time series that a session has read or that were sent along.</summary>
internal sealed class SessionSeriesCache
{
    private static readonly DateTime First = SeriesTime.Of(DateTime.MinValue);
    private static readonly DateTime Last = SeriesTime.Of(DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc));

    private readonly Dictionary<string, Dictionary<string, KnownSeries>> _documents =
        new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The entries of a range, if all of it is known; otherwise null.</summary>
    internal TimeSeriesEntry[]? Find(string id, string name, DateTime? from, DateTime? to) =>
        _documents.TryGetValue(id, out Dictionary<string, KnownSeries>? series)
        && series.TryGetValue(name, out KnownSeries? known)
            ? known.Find(from is { } first ? SeriesTime.Of(first) : First, to is { } last ? SeriesTime.Of(last) : Last)
            : null;

    internal void Add(string id, string name, TimeSeriesRangeResult range)
    {
        if (!_documents.TryGetValue(id, out Dictionary<string, KnownSeries>? series))
        {
            _documents.Add(id, series = new(StringComparer.OrdinalIgnoreCase));
        }

        if (!series.TryGetValue(name, out KnownSeries? known))
        {
            series.Add(name, known = new KnownSeries());
        }

        known.Add(range.From ?? First, range.To ?? Last, range.Entries);
    }

    /// <summary>Keeps what was sent along: an object by documents and series.</summary>
    internal void Add(ReadOnlyMemory<byte> included)
    {
        Utf8JsonReader reader = AnswerBody.Open(included.Span);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            string id = reader.GetString()!;
            Dictionary<string, List<TimeSeriesRangeResult>> series = [];
            reader.Read();
            SeriesJson.ReadSeries(ref reader, included, series);
            foreach ((string name, List<TimeSeriesRangeResult> ranges) in series)
            {
                foreach (TimeSeriesRangeResult range in ranges)
                {
                    Add(id, name, range);
                }
            }
        }
    }

    internal void Forget(string id) => _documents.Remove(id);

    internal void Forget(string id, string name)
    {
        if (_documents.TryGetValue(id, out Dictionary<string, KnownSeries>? series))
        {
            series.Remove(name);
        }
    }

    internal void Clear() => _documents.Clear();
}
