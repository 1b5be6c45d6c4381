using System.Text.Json;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads ranges and entries of time series where they lie.</summary>
internal static class SeriesJson
{
    /// <summary>Reads the body of an answer that is a range.</summary>
    internal static TimeSeriesRangeResult ReadRange(ReadOnlyMemory<byte> body)
    {
        AnswerBody.RequireObject(body.Span);
        Utf8JsonReader reader = AnswerBody.Open(body.Span);
        return ReadRange(ref reader, body);
    }

    /// <summary>Reads the body of an answer that has ranges of several series.</summary>
    internal static TimeSeriesDetails ReadDetails(ReadOnlyMemory<byte> body)
    {
        AnswerBody.RequireObject(body.Span);
        var details = new TimeSeriesDetails();
        Utf8JsonReader reader = AnswerBody.Open(body.Span);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("Id"u8))
            {
                reader.Read();
                details.Id = reader.GetString() ?? "";
            }
            else if (reader.ValueTextEquals("Values"u8))
            {
                reader.Read();
                ReadSeries(ref reader, body, details.Values);
            }
            else
            {
                reader.Skip();
            }
        }

        return details;
    }

    /// <summary>Reads ranges by the names of their series.</summary>
    /// <param name="reader">At the opening brace; at the closing one afterwards.</param>
    /// <param name="body">What the reader reads.</param>
    /// <param name="series">Takes the ranges.</param>
    internal static void ReadSeries(
        ref Utf8JsonReader reader, ReadOnlyMemory<byte> body, Dictionary<string, List<TimeSeriesRangeResult>> series)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            string name = reader.GetString()!;
            if (!series.TryGetValue(name, out List<TimeSeriesRangeResult>? ranges))
            {
                series.Add(name, ranges = []);
            }

            reader.Read();
            while (reader.Read() && reader.TokenType == JsonTokenType.StartObject)
            {
                ranges.Add(ReadRange(ref reader, body));
            }
        }
    }

    /// <summary>Reads one entry.</summary>
    /// <param name="reader">At its opening brace; at its closing one afterwards.</param>
    /// <param name="values">A list that is used again.</param>
    internal static TimeSeriesEntry ReadEntry(ref Utf8JsonReader reader, List<double> values)
    {
        var entry = new TimeSeriesEntry();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("Timestamp"u8))
            {
                reader.Read();
                entry.Timestamp = reader.GetDateTime();
            }
            else if (reader.ValueTextEquals("Tag"u8))
            {
                reader.Read();
                entry.Tag = reader.GetString();
            }
            else if (reader.ValueTextEquals("Values"u8))
            {
                reader.Read();
                values.Clear();
                SeriesNumbersConverter.ReadInto(ref reader, values);
                entry.Values = [.. values];
            }
            else if (reader.ValueTextEquals("IsRollup"u8))
            {
                reader.Read();
                entry.IsRollup = reader.TokenType == JsonTokenType.True;
            }
            else if (reader.ValueTextEquals("NodeValues"u8))
            {
                reader.Read();
                entry.NodeValues = ReadNodes(ref reader);
            }
            else
            {
                reader.Skip();
            }
        }

        return entry;
    }

    private static TimeSeriesRangeResult ReadRange(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        var range = new TimeSeriesRangeResult();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("From"u8))
            {
                range.From = TimeOf(ref reader);
            }
            else if (reader.ValueTextEquals("To"u8))
            {
                range.To = TimeOf(ref reader);
            }
            else if (reader.ValueTextEquals("TotalResults"u8))
            {
                reader.Read();
                range.TotalResults = reader.TokenType == JsonTokenType.Number ? reader.GetInt64() : null;
            }
            else if (reader.ValueTextEquals("Entries"u8))
            {
                reader.Read();
                range.Entries = ReadEntries(ref reader);
            }
            else if (!range.Included.TryReadIncludes(ref reader, body))
            {
                reader.Skip();
            }
        }

        return range;
    }

    private static TimeSeriesEntry[] ReadEntries(ref Utf8JsonReader reader)
    {
        List<TimeSeriesEntry> entries = [];
        List<double> values = [];
        while (reader.Read() && reader.TokenType == JsonTokenType.StartObject)
        {
            entries.Add(ReadEntry(ref reader, values));
        }

        return [.. entries];
    }

    private static Dictionary<string, double[]>? ReadNodes(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return null;
        }

        Dictionary<string, double[]> nodes = [];
        List<double> values = [];
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            string node = reader.GetString()!;
            reader.Read();
            values.Clear();
            SeriesNumbersConverter.ReadInto(ref reader, values);
            nodes[node] = [.. values];
        }

        return nodes;
    }

    private static DateTime? TimeOf(ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType == JsonTokenType.String ? reader.GetDateTime() : null;
    }
}
