using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Values of maps as JSON, and as stored values.</summary>
internal static class DynamicJson
{
    private const int DepthMax = 100;

    /// <summary>The value as JSON text.</summary>
    internal static string Write(DynamicValue value)
    {
        ArrayBufferWriter<byte> buffer = new();
        using (Utf8JsonWriter json = new(buffer))
        {
            Write(json, value, 0);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <summary>The value as a stored one.</summary>
    /// <param name="writer">Takes the value, as the next one.</param>
    /// <param name="value">The value.</param>
    /// <param name="depth">How deeply it is nested.</param>
    internal static void Write(BlittableWriter writer, DynamicValue value, int depth)
    {
        CheckDepth(depth);
        switch (value.Kind)
        {
            case DynamicKind.Missing or DynamicKind.Null:
                writer.Null();
                break;
            case DynamicKind.Boolean:
                writer.Boolean(value.Boolean);
                break;
            case DynamicKind.Integer:
                writer.Number(value.Integer);
                break;
            case DynamicKind.Real when value.HasMoreDigits:
                writer.Value(value.Stored);
                break;
            case DynamicKind.Real:
                WriteReal(writer, value.Real);
                break;
            case DynamicKind.Decimal:
                writer.NumberText(Encoding.ASCII.GetBytes(value.ToText()!));
                break;
            case DynamicKind.StoredText or DynamicKind.StoredObject or DynamicKind.StoredArray:
                writer.Value(value.Stored);
                break;
            case DynamicKind.Record:
                Write(writer, (DynamicRecord)value.Object!, depth);
                break;
            case DynamicKind.Sequence:
                writer.StartArray();
                foreach (DynamicValue item in value.AsValues())
                {
                    Write(writer, item, depth + 1);
                }

                writer.EndArray();
                break;
            case DynamicKind.Vector:
                Write(writer, ((DynamicVector)value.Object!).Value, depth);
                break;
            default:
                writer.String(value.ToText());
                break;
        }
    }

    private static void WriteReal(BlittableWriter writer, double value)
    {
        if (double.IsFinite(value))
        {
            writer.Number(value);
        }
        else
        {
            writer.Null();
        }
    }

    private static void Write(BlittableWriter writer, DynamicRecord record, int depth)
    {
        writer.StartObject();
        for (int i = 0; i < record.Count; i++)
        {
            if (record.Values[i].Kind != DynamicKind.Missing)
            {
                writer.Name(record.Names[i]);
                Write(writer, record.Values[i], depth + 1);
            }
        }

        writer.EndObject();
    }

    private static void Write(Utf8JsonWriter json, DynamicValue value, int depth)
    {
        CheckDepth(depth);
        switch (value.Kind)
        {
            case DynamicKind.Missing or DynamicKind.Null:
                json.WriteNullValue();
                break;
            case DynamicKind.Boolean:
                json.WriteBooleanValue(value.Boolean);
                break;
            case DynamicKind.Integer:
                json.WriteNumberValue(value.Integer);
                break;
            case DynamicKind.Real when double.IsFinite(value.Real):
                json.WriteNumberValue(value.Real);
                break;
            case DynamicKind.Decimal:
                json.WriteNumberValue(value.Decimal);
                break;
            case DynamicKind.StoredObject:
                WriteObject(json, value.Stored.AsObject(), depth);
                break;
            case DynamicKind.Record:
                WriteRecord(json, (DynamicRecord)value.Object!, depth);
                break;
            case DynamicKind.StoredArray or DynamicKind.Sequence:
                json.WriteStartArray();
                foreach (DynamicValue item in value.AsValues())
                {
                    Write(json, item, depth + 1);
                }

                json.WriteEndArray();
                break;
            case DynamicKind.Field or DynamicKind.Shape:
                json.WriteStringValue(value.Object!.ToString());
                break;
            case DynamicKind.Vector:
                Write(json, ((DynamicVector)value.Object!).Value, depth + 1);
                break;
            default:
                json.WriteStringValue(value.ToText());
                break;
        }
    }

    private static void WriteRecord(Utf8JsonWriter json, DynamicRecord record, int depth)
    {
        json.WriteStartObject();
        for (int i = 0; i < record.Count; i++)
        {
            json.WritePropertyName(record.Names[i]);
            Write(json, record.Values[i], depth + 1);
        }

        json.WriteEndObject();
    }

    private static void WriteObject(Utf8JsonWriter json, BlittableObject source, int depth)
    {
        int[] order = new int[source.Count];
        source.GetOriginalOrder(order);
        json.WriteStartObject();
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            json.WritePropertyName(property.Name);
            Write(json, DynamicValue.Of(property.Value), depth + 1);
        }

        json.WriteEndObject();
    }

    private static void CheckDepth(int depth)
    {
        if (depth > DepthMax)
        {
            throw new InvalidOperationException($"A value nests deeper than {DepthMax} levels.");
        }
    }
}
