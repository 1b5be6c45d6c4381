using System.IO.Compression;

namespace Raven.Server.Http.Studio;

/// <summary>A file of the Studio, read and compressed when it is first asked for. Safe for all threads.</summary>
internal sealed class StudioFile
{
    private readonly Lazy<byte[]> _bytes;
    private readonly Lazy<byte[]> _compressed;

    /// <summary>Makes one.</summary>
    /// <param name="path">Its path, from which its content type follows.</param>
    /// <param name="read">Reads it.</param>
    internal StudioFile(string path, Func<byte[]> read)
    {
        (ContentType, IsText) = Path.GetExtension(path) switch
        {
            ".js" => ("text/javascript; charset=utf-8", true),
            ".css" => ("text/css; charset=utf-8", true),
            ".html" => ("text/html; charset=utf-8", true),
            ".json" => ("application/json; charset=utf-8", true),
            ".txt" => ("text/plain; charset=utf-8", true),
            ".svg" => ("image/svg+xml", true),
            ".png" => ("image/png", false),
            ".woff2" => ("font/woff2", false),
            _ => ("application/octet-stream", false),
        };
        _bytes = new Lazy<byte[]>(read);
        _compressed = new Lazy<byte[]>(Compress);
    }

    /// <summary>Its content type.</summary>
    internal string ContentType { get; }

    /// <summary>Whether it becomes much smaller by compression.</summary>
    internal bool IsText { get; }

    /// <summary>Its bytes.</summary>
    internal byte[] Bytes => _bytes.Value;

    /// <summary>Its bytes as gzip.</summary>
    internal byte[] Compressed => _compressed.Value;

    private byte[] Compress()
    {
        using var target = new MemoryStream();
        using (var gzip = new GZipStream(target, CompressionLevel.SmallestSize))
        {
            gzip.Write(Bytes);
        }

        return target.ToArray();
    }
}
