using System.IO.Compression;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ZstdSharp;

namespace FastTests.Smuggler;

/// <summary>What a dump of ours holds, read by other code than the server's.</summary>
internal sealed class DumpContent
{
    /// <summary>The sections in their order, each a value or the items of a list.</summary>
    internal List<(string Name, List<JsonNode> Items)> Sections { get; } = [];

    /// <summary>The bytes of attachments by their hash.</summary>
    internal Dictionary<string, byte[]> Bytes { get; } = [];

    /// <summary>The items of a section; none if it is not there.</summary>
    internal List<JsonNode> this[string section] => Sections.Find(one => one.Name == section).Items ?? [];

    /// <summary>Reads a dump, gzip, zstd or plain.</summary>
    internal static DumpContent Read(byte[] dump)
    {
        byte[] json = Inflate(dump);
        var content = new DumpContent();
        int at = 1;
        while (json[at] != '}')
        {
            at += json[at] == ',' ? 1 : 0;
            string name = (string)Take(json, ref at)!;
            at++;
            List<JsonNode> items = [];
            content.Sections.Add((name, items));
            if (json[at] != '[')
            {
                items.Add(Take(json, ref at)!);
                continue;
            }

            for (at++; json[at] != ']';)
            {
                at += json[at] == ',' ? 1 : 0;
                items.Add(Take(json, ref at)!);
                if ((string?)items[^1]["@metadata"]?["@export-type"] == "Attachment")
                {
                    int size = (int)items[^1]["Size"]!;
                    content.Bytes[(string)items[^1]["Hash"]!] = json[(at + 1)..(at + 1 + size)];
                    at += 1 + size;
                    items.RemoveAt(items.Count - 1);
                }
            }

            at++;
        }

        Assert.Equal(json.Length, at + 1);
        return content;
    }

    internal static byte[] Inflate(byte[] dump)
    {
        using var source = new MemoryStream(dump);
        using Stream inflated = dump[0] switch
        {
            0x1F => new GZipStream(source, CompressionMode.Decompress),
            0x28 => new DecompressionStream(source),
            _ => source,
        };
        using var target = new MemoryStream();
        inflated.CopyTo(target);
        return target.ToArray();
    }

    /// <summary>All that two databases with the same content have in common: without change vectors and etags,
    /// documents by their ids, the revisions of each in their order.</summary>
    internal string Normal()
    {
        var text = new StringBuilder();
        foreach ((string name, List<JsonNode> items) in Sections)
        {
            IEnumerable<string> lines = items.Select(item => Normal(name, item));
            text.AppendLine(name);
            foreach (string line in name == "RevisionDocuments"
                ? lines.Zip(items).OrderBy(pair => (string)pair.Second["@metadata"]!["@id"]!, StringComparer.Ordinal)
                    .Select(pair => pair.First)
                : lines.Order(StringComparer.Ordinal))
            {
                text.AppendLine(line);
            }
        }

        foreach ((string hash, byte[] bytes) in Bytes.OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            text.AppendLine($"{hash} {Convert.ToBase64String(bytes)}");
        }

        return text.ToString();
    }

    private static string Normal(string section, JsonNode item)
    {
        JsonNode copy = item.DeepClone();
        if (copy is JsonObject row)
        {
            (row["@metadata"] as JsonObject)?.Remove("@change-vector");
            row.Remove("ChangeVector");
            row.Remove("LastModified");
            row.Remove("DatabaseName");
        }

        if (section == "Indexes" && copy["IndexDefinition"] is JsonObject definition)
        {
            definition.Remove("State");
        }

        return copy.ToJsonString();
    }

    private static JsonNode? Take(byte[] json, ref int at)
    {
        var reader = new Utf8JsonReader(json.AsSpan(at), isFinalBlock: false, default);
        JsonNode? node = JsonNode.Parse(ref reader);
        at += (int)reader.BytesConsumed;
        return node;
    }
}
