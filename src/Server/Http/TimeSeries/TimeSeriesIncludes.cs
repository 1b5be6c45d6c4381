using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace Raven.Server.Http.TimeSeries;

/// <summary>The ranges of time series that are sent along with documents.</summary>
internal sealed class TimeSeriesIncludes
{
    private readonly List<Item> _items = [];

    private static ReadOnlySpan<byte> All => "@all_timeseries"u8;

    /// <summary>Reads the parameters of a query; null if it asks for no time series.</summary>
    /// <exception cref="BadRequestException">A parameter is wrong, or lacks one that belongs to it.</exception>
    internal static TimeSeriesIncludes? Parse(RequestContext request)
    {
        TimeSeriesIncludes? includes = null;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            string? kind = KindOf(in parameter);
            if (kind is not null && !parameter.Encoded.IsEmpty)
            {
                includes ??= new TimeSeriesIncludes();
                includes._items.Add(new Item { Kind = kind, Name = request.Decode(parameter.Encoded, kind) });
            }
            else if (includes is not null)
            {
                includes.Complete(request, in parameter);
            }
        }

        includes?.Check();
        return includes;
    }

    /// <summary>Writes the ranges of one document, an object by the names of the series.</summary>
    internal void Write(
        ref JsonOutput json, RequestContext request, DocumentSnapshot snapshot, NativeSlice id, NativeSlice documentKey)
    {
        var writer = new TimeSeriesRangeWriter(request, snapshot) { DocumentKey = documentKey };
        json.Name(id.Span);
        json.StartObject();
        List<(string Key, NativeSlice Name)> names = NamesOf(request, snapshot, documentKey);
        foreach ((string key, NativeSlice name) in names)
        {
            json.Name(name.Span);
            json.StartArray();
            foreach (Item item in _items)
            {
                if (item.IsAll || item.Key == key)
                {
                    writer.Write(ref json, RangeOf(item, name, writer.Reader, documentKey));
                }
            }

            json.EndArray();
        }

        json.EndObject();
    }

    private static string? KindOf(in QueryParameters.Parameter parameter) =>
        parameter.Is("timeseries") ? "timeseries"
        : parameter.Is("timeseriestime") ? "timeseriestime"
        : parameter.Is("timeseriescount") ? "timeseriescount"
        : null;

    /// <summary>Takes a parameter that says more of the include before it.</summary>
    private void Complete(RequestContext request, in QueryParameters.Parameter parameter)
    {
        Item item = _items[^1];
        if (parameter.Is("from"))
        {
            item.From = TimeSeriesRange.ReadTime(request, parameter.Encoded, "from");
        }
        else if (parameter.Is("to"))
        {
            item.To = TimeSeriesRange.ReadTime(request, parameter.Encoded, "to");
        }
        else if (parameter.Is("timeValue") || parameter.Is("countValue"))
        {
            item.Amount = long.TryParse(parameter.Encoded, out long amount) && amount > 0
                ? amount
                : throw Wrong(item, "needs a whole number above 0 as its value");
        }
        else if (parameter.Is("timeUnit"))
        {
            item.Unit = parameter.Encoded.ToString();
        }
        else if ((parameter.Is("timeType") || parameter.Is("countType"))
            && !parameter.Encoded.Equals("Last", StringComparison.OrdinalIgnoreCase))
        {
            throw Wrong(item, "has only the type Last");
        }

        if ((item.From ?? 0) > (item.To ?? SeriesTime.Max))
        {
            throw Wrong(item, "has a range that ends before it begins");
        }
    }

    private void Check()
    {
        foreach (Item item in _items)
        {
            item.IsAll = item.Name.Span.SequenceEqual(All);
            item.Key = Documents.Ids.DocumentId.FoldedText(item.Name.Span);
            if (item.Kind != "timeseries" && item.Amount == 0)
            {
                throw Wrong(item, "needs a whole number above 0 as its value");
            }

            if (item.Kind == "timeseriestime" && item.Unit is not ("Second" or "Month"))
            {
                throw Wrong(item, "needs Second or Month as its timeUnit");
            }
        }
    }

    private static BadRequestException Wrong(Item item, string what) => new(
        400, ErrorType.Argument, $"{item.Kind}={Encoding.UTF8.GetString(item.Name.Span)} {what}.");

    /// <summary>The series that are asked for, each once: those of the document, if all are.</summary>
    private List<(string Key, NativeSlice Name)> NamesOf(
        RequestContext request, DocumentSnapshot snapshot, NativeSlice documentKey)
    {
        List<(string Key, NativeSlice Name)> names = [];
        foreach (Item item in _items)
        {
            if (!item.IsAll && !names.Exists(known => known.Key == item.Key))
            {
                names.Add((item.Key, item.Name));
            }
        }

        if (_items.Exists(item => item.IsAll))
        {
            TimeSeriesCursor all = snapshot.TimeSeriesOf(documentKey.Span);
            while (all.MoveNext(out StoredSeries series))
            {
                string key = Documents.Ids.DocumentId.FoldedText(series.Name.Span);
                if (!names.Exists(known => known.Key == key))
                {
                    NativeSlice name = request.Operation.Arena.Allocate(series.Name.Length);
                    series.Name.Span.CopyTo(name.WritableSpan);
                    names.Add((key, name));
                }
            }
        }

        return names;
    }

    private static TimeSeriesRange RangeOf(
        Item item, NativeSlice name, TimeSeriesReader reader, NativeSlice documentKey)
    {
        if (item.Kind == "timeseries")
        {
            return new TimeSeriesRange(name, item.From, item.To);
        }

        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        if (!SeriesKey.TryWrite(key, documentKey.Span, name.Span, out int length, out _)
            || !reader.TryFind(key[..length], out StoredSeries series))
        {
            return new TimeSeriesRange(name, null, null);
        }

        long from = item.Kind == "timeseriescount"
            ? reader.TimeOfLast(key[..length], item.Amount)
            : TimeBefore(series.Last, item.Amount, item.Unit!);
        return new TimeSeriesRange(name, from, null);
    }

    /// <summary>The time so many seconds or months before another; the first of all, if it would be before
    /// that.</summary>
    private static long TimeBefore(long time, long amount, string unit)
    {
        if (unit == "Second")
        {
            return amount > time / 1000 ? 0 : time - (amount * 1000);
        }

        var date = new DateTime(SeriesTime.ToTicks(time), DateTimeKind.Utc);
        return amount >= ((date.Year - 1) * 12) + date.Month
            ? 0
            : SeriesTime.OfTicks(date.AddMonths(-(int)amount).Ticks);
    }

    private sealed class Item
    {
        internal required string Kind { get; init; }

        internal required NativeSlice Name { get; init; }

        internal string Key { get; set; } = "";

        internal bool IsAll { get; set; }

        internal long? From { get; set; }

        internal long? To { get; set; }

        internal long Amount { get; set; }

        internal string? Unit { get; set; }
    }
}
