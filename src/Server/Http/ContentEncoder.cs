using System.IO.Compression;
using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http;

/// <summary>The compression of an answer (RFC 9110, 12.5.3): the one that the client prefers.</summary>
internal static class ContentEncoder
{
    private const string Gzip = "gzip";
    private const string Brotli = "br";

    private static readonly string[] Encodings = [Gzip, Brotli, Zstandard.Name];

    /// <summary>The encoding that a client takes; null for none.</summary>
    internal static string? Choose(StringValues acceptEncoding)
    {
        if (acceptEncoding.Count == 0)
        {
            return null;
        }

        string? best = null;
        double bestQuality = 0;
        foreach (string piece in acceptEncoding.ToString().Split(','))
        {
            string[] parts = piece.Split(';');
            string name = parts[0].Trim();
            double quality = parts.Length > 1 ? Quality(parts[1]) : 1;
            string? known = Array.Find(
                Encodings, encoding => name.Equals(encoding, StringComparison.OrdinalIgnoreCase));
            if (known is not null && quality > bestQuality)
            {
                best = known;
                bestQuality = quality;
            }
        }

        return best;
    }

    /// <summary>Whether a client takes gzip.</summary>
    internal static bool TakesGzip(StringValues acceptEncoding)
    {
        foreach (string piece in acceptEncoding.ToString().Split(','))
        {
            string[] parts = piece.Split(';');
            if (parts[0].Trim().Equals(Gzip, StringComparison.OrdinalIgnoreCase))
            {
                return parts.Length == 1 || Quality(parts[1]) > 0;
            }
        }

        return false;
    }

    /// <summary>A stream that compresses what is written to it, at the fastest level.</summary>
    internal static Stream Begin(string encoding, Stream target) => encoding switch
    {
        Gzip => new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true),
        Zstandard.Name => Zstandard.Begin(target),
        _ => new BrotliStream(target, CompressionLevel.Fastest, leaveOpen: true),
    };

    private static double Quality(string text)
    {
        string value = text.Trim();
        return value.StartsWith("q=", StringComparison.OrdinalIgnoreCase)
            && double.TryParse(
                value.AsSpan(2), System.Globalization.NumberStyles.AllowDecimalPoint,
                System.Globalization.CultureInfo.InvariantCulture, out double quality)
            ? quality
            : 1;
    }
}
