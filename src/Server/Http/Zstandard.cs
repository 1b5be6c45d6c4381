using ZstdSharp;
using ZstdSharp.Unsafe;

namespace Raven.Server.Http;

/// <summary>Zstandard as an encoding of bodies and answers (RFC 8878, RFC 9659).</summary>
internal static class Zstandard
{
    /// <summary>Its name in the headers of requests and answers.</summary>
    internal const string Name = "zstd";

    private const int FastestLevel = 1;

    /// <summary>
    /// 8 MB, the most that a body may ask for (RFC 9659): the window is memory that a client makes the server use.
    /// </summary>
    private const int WindowLogMax = 23;

    /// <summary>A stream of the inflated bytes of a body.</summary>
    internal static Stream BeginInflating(Stream wire)
    {
        var stream = new DecompressionStream(wire, leaveOpen: false);
        stream.SetParameter(ZSTD_dParameter.ZSTD_d_windowLogMax, WindowLogMax);
        return stream;
    }

    /// <summary>A stream that compresses what is written to it, at the fastest level.</summary>
    internal static Stream Begin(Stream target) => new CompressionStream(target, FastestLevel, leaveOpen: true);

    /// <summary>Whether a body could not be inflated: its bytes are wrong, or end too early.</summary>
    internal static bool IsBroken(Exception exception) => exception is ZstdException or EndOfStreamException;
}
