using System.Text.Json;
using System.Text.Json.Serialization;

namespace Raven.Client.Json;

/// <summary>Values of time series: null, which the server has for what no double holds, is read as NaN.</summary>
internal sealed class SeriesNumbersConverter : JsonConverter<double[]>
{
    public override double[] Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        List<double> values = [];
        ReadInto(ref reader, values);
        return [.. values];
    }

    public override void Write(Utf8JsonWriter writer, double[] value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (double one in value)
        {
            if (double.IsFinite(one))
            {
                WriteNumber(writer, one);
            }
            else
            {
                writer.WriteNullValue();
            }
        }

        writer.WriteEndArray();
    }

    /// <summary>Writes a finite number; as a whole one, the negative zero would lose its sign.</summary>
    internal static void WriteNumber(Utf8JsonWriter writer, double value)
    {
        if (value == 0 && double.IsNegative(value))
        {
            writer.WriteRawValue("-0.0"u8, skipInputValidation: true);
        }
        else
        {
            writer.WriteNumberValue(value);
        }
    }

    /// <summary>Reads a list of numbers.</summary>
    /// <param name="reader">At its opening bracket; at its closing one afterwards.</param>
    /// <param name="values">Takes the numbers.</param>
    internal static void ReadInto(ref Utf8JsonReader reader, List<double> values)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException("The values of a time series must be a list of numbers.");
        }

        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            values.Add(reader.TokenType == JsonTokenType.Null ? double.NaN : reader.GetDouble());
        }
    }
}
