using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http.Attachments;

/// <summary>
/// The headers of an answer whose bytes a client once stored, with a content type of its choice: a browser that is
/// given its url saves it under its name, and runs none of it as a page of this server, even if it shows it.
/// </summary>
internal static class StoredContent
{
    private const string NamePrefix = "attachment; filename*=UTF-8''";

    private const string FetchDest = "Sec-Fetch-Dest";

    private static readonly StringValues Unnamed = "attachment";
    private static readonly StringValues Sandbox = "sandbox; default-src 'none'";

    /// <summary>Refuses a request by which a browser would run the answer as a part of a page: as a script, a worker or
    /// a style sheet, whatever page it is.</summary>
    /// <exception cref="BadRequestException">403: the browser says so.</exception>
    internal static void RefuseAsCode(RequestContext request)
    {
        StringValues dest = request.Headers[FetchDest];
        if (dest.Count == 0)
        {
            return;
        }

        string use = dest.ToString();
        if (use is "script" or "style" or "xslt" or "worker" or "sharedworker" or "serviceworker" or "audioworklet"
            or "paintworklet")
        {
            throw new BadRequestException(
                403, ErrorType.Authorization,
                $"An attachment is no part of a page that a browser runs ({FetchDest}: {use}).");
        }
    }

    /// <summary>Sets them; <c>nosniff</c> is in every answer.</summary>
    /// <param name="headers">Those of the answer.</param>
    /// <param name="name">The name of the attachment, UTF-8; empty if there is not only one.</param>
    internal static void SetHeaders(IHeaderDictionary headers, ReadOnlySpan<byte> name)
    {
        headers.ContentDisposition = name.IsEmpty ? Unnamed : Disposition(name);
        headers.ContentSecurityPolicy = Sandbox;
    }

    /// <summary>The header with the name in it (RFC 6266, 8187), whatever bytes that has.</summary>
    internal static string Disposition(ReadOnlySpan<byte> name)
    {
        var text = new StringBuilder(NamePrefix, NamePrefix.Length + name.Length + 16);
        foreach (byte each in name)
        {
            if (IsPlain(each))
            {
                text.Append((char)each);
            }
            else
            {
                text.Append('%').Append(Hex(each >> 4)).Append(Hex(each & 0xF));
            }
        }

        return text.ToString();
    }

    private static char Hex(int digit) => (char)(digit < 10 ? '0' + digit : 'A' + digit - 10);

    /// <summary>What RFC 8187 calls attr-char.</summary>
    private static bool IsPlain(byte each) =>
        char.IsAsciiLetterOrDigit((char)each) || "!#$&+-.^_`|~"u8.Contains(each);
}
