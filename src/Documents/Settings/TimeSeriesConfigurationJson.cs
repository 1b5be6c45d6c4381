using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Documents.Ids;

namespace Raven.Documents.Settings;

/// <summary>The JSON of the configuration of time series, as clients send it and read it: always complete.</summary>
internal static class TimeSeriesConfigurationJson
{
    /// <summary>How clients write what never ends.</summary>
    private const int ForEver = int.MaxValue;

    private const int ValuesMax = 32;
    private const int MonthsMax = 9999 * 12;

    /// <summary>Reads a configuration.</summary>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static TimeSeriesConfiguration Parse(JsonElement json)
    {
        RequireObject(json, "The configuration");
        List<TimeSeriesCollection> collections = [];
        List<TimeSeriesNames> names = [];
        if (SettingsJson.Object(json, "Collections") is { } all)
        {
            foreach (JsonProperty one in all.EnumerateObject())
            {
                collections.Add(ParseCollection(one.Name, one.Value));
            }
        }

        if (SettingsJson.Object(json, "NamedValues") is { } named)
        {
            foreach (JsonProperty collection in named.EnumerateObject())
            {
                RequireObject(collection.Value, $"NamedValues: '{collection.Name}'");
                foreach (JsonProperty series in collection.Value.EnumerateObject())
                {
                    names.Add(ParseNames(collection.Name, series.Name, series.Value));
                }
            }
        }

        TimeSpan? frequency = SettingsJson.Span(json, "PolicyCheckFrequency");
        return frequency is { } span && span < TimeSpan.FromSeconds(1)
            ? throw new FormatException("PolicyCheckFrequency must be at least a second.")
            : new TimeSeriesConfiguration(collections, names, frequency);
    }

    /// <summary>Reads one policy.</summary>
    /// <param name="json">The policy.</param>
    /// <param name="place">Where it is, for errors.</param>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static TimeSeriesPolicy ParsePolicy(JsonElement json, string place)
    {
        RequireObject(json, place);
        string name = json.TryGetProperty("Name", out JsonElement text) && text.ValueKind == JsonValueKind.String
            ? text.GetString()!
            : throw new FormatException($"{place}: Name must be a text.");
        SeriesPeriod? retention = ParsePeriod(json, "RetentionTime", place);
        if (name.Equals(TimeSeriesPolicy.Raw, StringComparison.OrdinalIgnoreCase))
        {
            return new TimeSeriesPolicy(TimeSeriesPolicy.Raw, null, retention);
        }

        CheckName(name, $"{place}: Name");
        SeriesPeriod aggregation = ParsePeriod(json, "AggregationTime", place)
            ?? throw new FormatException($"{place}: AggregationTime must be so many seconds or months.");
        return new TimeSeriesPolicy(name, aggregation, retention);
    }

    /// <summary>Reads the names of the values of a series.</summary>
    /// <exception cref="FormatException">They are not valid.</exception>
    internal static TimeSeriesNames ParseNames(string collection, string series, JsonElement json)
    {
        CheckName(collection, "The name of the collection");
        CheckName(series, "The name of the series");
        string place = $"NamedValues: '{collection}': '{series}'";
        if (json.ValueKind != JsonValueKind.Array || json.GetArrayLength() is 0 or > ValuesMax)
        {
            throw new FormatException($"{place} must be a list of 1 to {ValuesMax} names.");
        }

        List<string> names = [];
        foreach (JsonElement name in json.EnumerateArray())
        {
            if (name.ValueKind != JsonValueKind.String || string.IsNullOrWhiteSpace(name.GetString()))
            {
                throw new FormatException($"{place}[{names.Count}] must be a text.");
            }

            if (names.Contains(name.GetString()!, StringComparer.OrdinalIgnoreCase))
            {
                throw new FormatException($"{place}[{names.Count}]: '{name.GetString()}' is there twice.");
            }

            names.Add(name.GetString()!);
        }

        return new TimeSeriesNames(collection, series, names);
    }

    /// <summary>Writes a configuration with all its members.</summary>
    internal static byte[] Write(TimeSeriesConfiguration configuration)
    {
        var target = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(target))
        {
            json.WriteStartObject();
            json.WriteStartObject("Collections"u8);
            foreach (TimeSeriesCollection collection in configuration.Collections)
            {
                json.WriteStartObject(collection.Name);
                json.WriteBoolean("Disabled"u8, collection.IsDisabled);
                json.WriteStartArray("Policies"u8);
                foreach (TimeSeriesPolicy policy in collection.Policies)
                {
                    Write(json, policy);
                }

                json.WriteEndArray();
                json.WritePropertyName("RawPolicy"u8);
                Write(json, collection.Raw);
                json.WriteEndObject();
            }

            json.WriteEndObject();
            json.WritePropertyName("PolicyCheckFrequency"u8);
            json.WriteStringValue(configuration.Frequency?.ToString("c", CultureInfo.InvariantCulture));
            json.WriteStartObject("NamedValues"u8);
            foreach (IGrouping<string, TimeSeriesNames> collection in
                configuration.Names.GroupBy(each => each.Collection, StringComparer.OrdinalIgnoreCase))
            {
                json.WriteStartObject(collection.Key);
                foreach (TimeSeriesNames series in collection)
                {
                    json.WriteStartArray(series.Series);
                    foreach (string name in series.Values)
                    {
                        json.WriteStringValue(name);
                    }

                    json.WriteEndArray();
                }

                json.WriteEndObject();
            }

            json.WriteEndObject();
            json.WriteEndObject();
        }

        return target.WrittenSpan.ToArray();
    }

    private static TimeSeriesCollection ParseCollection(string name, JsonElement json)
    {
        CheckName(name, "The name of a collection");
        string place = $"Collections: '{name}'";
        RequireObject(json, place);
        List<TimeSeriesPolicy> policies = [];
        if (json.TryGetProperty("Policies", out JsonElement list) && list.ValueKind != JsonValueKind.Null)
        {
            if (list.ValueKind != JsonValueKind.Array)
            {
                throw new FormatException($"{place}: Policies must be a list.");
            }

            foreach (JsonElement one in list.EnumerateArray())
            {
                TimeSeriesPolicy policy = ParsePolicy(one, $"{place}: Policies[{policies.Count}]");
                policies.Add(policy.Aggregation is null
                    ? throw new FormatException($"{place}: '{policy.Name}' is the name of the RawPolicy alone.")
                    : policy);
            }
        }

        var raw = new TimeSeriesPolicy(TimeSeriesPolicy.Raw, null, null);
        if (SettingsJson.Object(json, "RawPolicy") is { } found)
        {
            RequireObject(found, $"{place}: RawPolicy");
            raw = raw with { Retention = ParsePeriod(found, "RetentionTime", $"{place}: RawPolicy") };
        }

        return new TimeSeriesCollection(name, SettingsJson.Bool(json, "Disabled"), raw, policies).Checked();
    }

    private static SeriesPeriod? ParsePeriod(JsonElement json, string name, string place)
    {
        if (!json.TryGetProperty(name, out JsonElement period) || period.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        RequireObject(period, $"{place}: {name}");
        int value = 0;
        bool isValue = period.TryGetProperty("Value", out JsonElement number)
            && number.ValueKind == JsonValueKind.Number && number.TryGetInt32(out value);
        string? unit = period.TryGetProperty("Unit", out JsonElement text) && text.ValueKind == JsonValueKind.String
            ? text.GetString()
            : null;
        return (unit, value) switch
        {
            ("None", ForEver or 0) when isValue => null,
            ("Second", > 0) => new SeriesPeriod(value * 1000L, 0),
            ("Month", > 0 and <= MonthsMax) => new SeriesPeriod(0, value),
            _ => throw new FormatException(
                $"{place}: {name} must be a Value above 0 with the Unit Second or Month, or {ForEver} with None."),
        };
    }

    private static void Write(Utf8JsonWriter json, TimeSeriesPolicy policy)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, policy.Name);
        Write(json, "RetentionTime", policy.Retention, ForEver);
        Write(json, "AggregationTime", policy.Aggregation, 0);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, string name, SeriesPeriod? period, int none)
    {
        json.WriteStartObject(name);
        json.WriteNumber("Value"u8, period is not { } known ? none
            : known.Months != 0 ? known.Months : known.Milliseconds / 1000);
        json.WriteString("Unit"u8, period is not { } some ? "None" : some.Months != 0 ? "Month" : "Second");
        json.WriteEndObject();
    }

    private static void CheckName(string name, string place)
    {
        bool isName = DocumentId.TryValidate(Encoding.UTF8.GetBytes(name), out DocumentIdError error);
        if (!isName || name.Contains('@'))
        {
            // Collections such as @empty have the sign; no policy or series of a client does.
            bool isSystem = isName && name.StartsWith('@') && place.Contains("collection", StringComparison.Ordinal);
            if (!isSystem)
            {
                throw new FormatException(isName ? $"{place}: '{name}' must not have an @." : $"{place}: "
                    + error.Describe());
            }
        }
    }

    private static void RequireObject(JsonElement json, string place)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException($"{place} must be an object.");
        }
    }
}
