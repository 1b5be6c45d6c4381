using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Documents.Ids;

namespace Raven.Documents.Settings;

/// <summary>Fields whose values no two documents of a collection may share. Immutable.</summary>
internal sealed record UniqueConstraint
{
    /// <summary>The collection, as the configuration spells it.</summary>
    internal required string Collection { get; init; }

    /// <summary>The name of the constraint, one of its collection.</summary>
    internal required string Name { get; init; }

    /// <summary>The paths of the fields: names with dots between them.</summary>
    internal required string[] Fields { get; init; }

    /// <summary>Whether texts are the same in upper and lower case.</summary>
    internal bool IgnoresCase { get; init; }

    /// <summary>Its number in storage; 0 while it has none.</summary>
    internal int Number { get; init; }

    /// <summary>True once it is known to hold: then it does for ever.</summary>
    internal bool IsSettled { get; init; }

    /// <summary>For each field, the names on its path, UTF-8.</summary>
    internal byte[][][] Paths => field ??= Array.ConvertAll(
        Fields, path => Array.ConvertAll(path.Split('.'), Encoding.UTF8.GetBytes));

    /// <summary>The folded name of the collection, UTF-8.</summary>
    internal byte[] CollectionKey =>
        field ??= Encoding.UTF8.GetBytes(DocumentId.FoldedText(Encoding.UTF8.GetBytes(Collection)));

    /// <summary>What it says, as it is stored beside its number.</summary>
    internal byte[] Definition()
    {
        var target = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(target))
        {
            json.WriteStartObject();
            json.WriteString("Collection"u8, CollectionKey);
            json.WriteString("Name"u8, Name);
            json.WriteStartArray("Fields"u8);
            foreach (string field in Fields)
            {
                json.WriteStringValue(field);
            }

            json.WriteEndArray();
            json.WriteBoolean("IgnoreCase"u8, IgnoresCase);
            json.WriteEndObject();
        }

        return target.WrittenSpan.ToArray();
    }
}
