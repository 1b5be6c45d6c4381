using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Sets or deletes a compare-exchange value inside of a cluster-wide transaction.</summary>
internal sealed class CompareExchangeCommandData(string key, long index, object? value, bool isDelete) : ICommandData
{
    public string Id => key;

    public string Type => isDelete ? "CompareExchangeDELETE" : "CompareExchangePUT";

    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        writer.WriteStartObject();
        writer.WriteString("Id"u8, key);
        if (!isDelete)
        {
            writer.WriteStartObject("Document"u8);
            writer.WritePropertyName("Object"u8);
            conventions.Serializer.WriteValue(writer, value);
            writer.WriteEndObject();
        }

        writer.WriteNumber("Index"u8, index);
        writer.WriteString("Type"u8, Type);
        writer.WriteEndObject();
    }
}
