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
            "zstd" => Zstandard(target),
            _ => new ZLibStream(target, CompressionLevel.Fastest, leaveOpen: true),
        })
        {
            stream.Write(bytes);
        }

        return target.ToArray();
    }

    /// <summary>With a checksum, as the others have one.</summary>
    private static ZstdSharp.CompressionStream Zstandard(Stream target)
    {
        var stream = new ZstdSharp.CompressionStream(target, 1, leaveOpen: true);
        stream.SetParameter(ZstdSharp.Unsafe.ZSTD_cParameter.ZSTD_c_checksumFlag, 1);
        return stream;
    }
}
