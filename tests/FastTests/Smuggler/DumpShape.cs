using System.IO.Compression;
using System.Text;
using ZstdSharp;

namespace FastTests.Smuggler;

/// <summary>Writes dumps as other versions write them: any sections in any order, commas where JSON has none, packed or
/// not.</summary>
internal sealed class DumpShape
{
    private readonly List<byte[]> _sections = [];

    /// <summary>A comma before each closing bracket, as RavenDB writes in some definitions of indexes.</summary>
    internal bool HasTrailingCommas { get; init; }

    /// <summary>A byte order mark before the first byte.</summary>
    internal bool HasMark { get; init; }

    /// <summary>Adds a section whose value is no list.</summary>
    internal DumpShape With(string name, string json) => Add($"\"{name}\": {json}");

    /// <summary>Adds a list.</summary>
    internal DumpShape WithItems(string name, params string[] items)
    {
        string end = HasTrailingCommas && items.Length > 0 ? "," : "";
        return Add($"\"{name}\" :[{string.Join(" ,\r\n", items)}{end} ]");
    }

    /// <summary>Adds a section of bytes that are no text.</summary>
    internal DumpShape WithBytes(params byte[][] parts)
    {
        _sections.Add([.. parts.SelectMany(part => part)]);
        return this;
    }

    /// <summary>A document.</summary>
    internal static string Document(string id, string collection = "Users", string members = "\"N\":1") =>
        $$$"""
        {{{{members}}},"@metadata":{"@collection":"{{{collection}}}","@id":"{{{id}}}","@change-vector":"A:9-x"}}
        """;

    /// <summary>The dump.</summary>
    /// <param name="compression"><c>gzip</c>, <c>zstd</c>, <c>members</c> for gzip of two members, or null.</param>
    internal byte[] ToBytes(string? compression = null)
    {
        using var target = new MemoryStream();
        target.Write(HasMark ? Encoding.UTF8.Preamble : []);
        target.Write("{"u8);
        for (int i = 0; i < _sections.Count; i++)
        {
            target.Write(i == 0 ? ""u8 : ","u8);
            target.Write(_sections[i]);
        }

        target.Write(HasTrailingCommas ? ",}\n"u8 : "}"u8);
        return Compress(target.ToArray(), compression);
    }

    private DumpShape Add(string text)
    {
        _sections.Add(Encoding.UTF8.GetBytes(text));
        return this;
    }

    private static byte[] Compress(byte[] plain, string? compression)
    {
        using var target = new MemoryStream();
        switch (compression)
        {
            case "gzip":
                Pack(plain);
                return target.ToArray();
            case "members":
                Pack(plain[..(plain.Length / 2)]);
                Pack(plain[(plain.Length / 2)..]);
                return target.ToArray();
            case "zstd":
                using (var zstd = new CompressionStream(target, 3, leaveOpen: true))
                {
                    zstd.Write(plain);
                }

                return target.ToArray();
            default:
                return plain;
        }

        void Pack(byte[] bytes)
        {
            using var gzip = new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true);
            gzip.Write(bytes);
        }
    }
}
