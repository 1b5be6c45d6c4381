using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Studio;

/// <summary>
/// The answers with the Studio's page and its files. A browser runs nothing but these files, sends no request to
/// anywhere else for them, and shows them in no frame (Content-Security-Policy).
/// </summary>
internal static class StudioPage
{
    /// <summary>The header of the page that has the hash of the files: a page that is open sees by it that the server
    /// has others now.</summary>
    internal const string HashHeader = "Raven-Studio";

    private const int NonceBytes = 16;

    private const string Missing =
        "There is no Studio in this build: the folder src/Studio/dist was empty when the server was built.";

    private static readonly StringValues NoReferrer = "no-referrer";
    private static readonly StringValues SameOrigin = "same-origin";
    private static readonly StringValues NoCache = "no-cache";
    private static readonly StringValues NoStore = "no-store";
    private static readonly StringValues Immutable = "public, max-age=31536000, immutable";
    private static readonly StringValues Html = "text/html; charset=utf-8";

    /// <summary>Writes the page.</summary>
    internal static void WriteIndex(RequestContext request)
    {
        StudioFiles files = request.Server.Studio;
        if (files.Find(StudioFiles.IndexName) is not { } index)
        {
            AnswerMissing(request, Missing);
            return;
        }

        string nonce = Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(NonceBytes));
        IHeaderDictionary headers = request.Response.Headers;
        Protect(headers, PolicyOf(request, nonce));
        headers.CacheControl = NoCache;
        headers.ContentType = Html;
        headers[HashHeader] = files.Hash;
        string text = Encoding.UTF8.GetString(index.Bytes)
            .Replace("\"./", $"\"{StudioFiles.AssetsPath}{files.Hash}/", StringComparison.Ordinal)
            .Replace("{{nonce}}", nonce, StringComparison.Ordinal)
            .Replace("{{version}}", ServerVersion.Program, StringComparison.Ordinal);
        request.Response.Write(Encoding.UTF8.GetBytes(text));
    }

    /// <summary>Writes a file.</summary>
    /// <param name="request">The request.</param>
    /// <param name="hash">The hash in the path.</param>
    /// <param name="path">The path of the file.</param>
    internal static void WriteFile(RequestContext request, string hash, string path)
    {
        StudioFiles files = request.Server.Studio;
        StudioFile? file = hash == files.Hash ? files.Find(path) : null;
        if (file is null)
        {
            AnswerMissing(
                request,
                files.IsEmpty ? Missing
                : hash == files.Hash ? $"The Studio has no file '{path}'."
                : "These are files of another version of the server: load the page again.");
            return;
        }

        IHeaderDictionary headers = request.Response.Headers;
        Protect(headers, PolicyOf(request, null));
        headers.CacheControl = files.MayChange ? NoCache : Immutable;
        headers.ContentType = file.ContentType;
        bool isCompressed = file.IsText && ContentEncoder.TakesGzip(request.Headers.AcceptEncoding);
        if (file.IsText)
        {
            headers.Vary = StringValues.Concat(headers.Vary, "Accept-Encoding");
        }

        if (!files.MayChange)
        {
            // Of the compressed bytes another one: a strong tag is of the bytes.
            string tag = isCompressed ? $"\"{files.Hash}-gzip\"" : $"\"{files.Hash}\"";
            headers.ETag = tag;
            if (EntityTag.IsKnown(request, tag))
            {
                request.Response.Status = StatusCodes.Status304NotModified;
                return;
            }
        }

        if (isCompressed)
        {
            headers.ContentEncoding = "gzip";
        }

        request.Response.Write(isCompressed ? file.Compressed : file.Bytes);
    }

    /// <summary>Sends a browser to the page, if there is one.</summary>
    internal static void Redirect(RequestContext request)
    {
        if (request.Server.Studio.IsEmpty)
        {
            AnswerMissing(request, Missing);
            return;
        }

        request.Response.Status = StatusCodes.Status302Found;
        request.Response.Headers.Location = "/studio/";
        request.Response.Headers.CacheControl = NoCache;
    }

    /// <summary>What a browser may do with the answer: of styles made by scripts those with the nonce.</summary>
    private static string PolicyOf(RequestContext request, string? nonce)
    {
        string source = StudioSource.Of(request);
        string styles = nonce is null ? "" : $" 'nonce-{nonce}'";
        return $"default-src 'none'; script-src {source}; style-src {source}{styles}; img-src 'self' blob: data:; "
            + $"font-src {source}; connect-src 'self'; worker-src {source}; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'";
    }

    private static void Protect(IHeaderDictionary headers, StringValues policy)
    {
        headers.ContentSecurityPolicy = policy;
        headers["Referrer-Policy"] = NoReferrer;
        headers["Cross-Origin-Opener-Policy"] = SameOrigin;
    }

    private static void AnswerMissing(RequestContext request, string text)
    {
        IHeaderDictionary headers = request.Response.Headers;
        Protect(headers, PolicyOf(request, null));
        headers.CacheControl = NoStore;
        headers.ContentType = ContentType.Text;
        request.Response.Status = StatusCodes.Status404NotFound;
        request.Response.Write(Encoding.UTF8.GetBytes(text + "\n"));
    }
}
