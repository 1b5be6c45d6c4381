using System.IO.Compression;

namespace FastTests.Server;

/// <summary>Bytes under a Content-Encoding.</summary>
internal static class Compressed
{
    internal static byte[] By(string encoding, byte[] bytes)
    {
        using var target = new MemoryStream();
        using (Stream stream = encoding switch
        {
            "gzip" => new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true),
            "br" => new BrotliStream(target, CompressionLevel.Fastest, leaveOpen: true),
            _ => new ZLibStream(target, CompressionLevel.Fastest, leaveOpen: true),
        })
        {
            stream.Write(bytes);
        }

        return target.ToArray();
    }
}
