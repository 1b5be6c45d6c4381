using System.Text.Json;
using Raven.Documents.Indexing.Extensions;

namespace Raven.Server.Http;

/// <summary>Analyzers and sorters as clients read them.</summary>
internal static class ExtensionJson
{
    /// <summary>Writes analyzers or sorters in the form of a record: by their names.</summary>
    internal static void WriteRecord(Utf8JsonWriter json, string name, IEnumerable<ExtensionSource> sources)
    {
        json.WriteStartObject(name);
        foreach (ExtensionSource source in sources)
        {
            json.WritePropertyName(source.Name);
            WriteSource(json, source);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes one with its code.</summary>
    internal static void WriteSource(Utf8JsonWriter json, ExtensionSource source)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, source.Name);
        json.WriteString("Code"u8, source.Code);
        json.WriteEndObject();
    }
}
