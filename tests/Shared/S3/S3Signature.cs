using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace Shared.S3;

/// <summary>Checks that requests are signed as Signature Version 4 says, with the hash of the body in it. Written from
/// the public description of it, apart from the library that signs.</summary>
internal sealed class S3Signature
{
    internal string AccessKey { get; init; } = "AKIDEXAMPLE";

    internal string SecretKey { get; set; } = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

    internal string Region { get; set; } = "eu-central-1";

    /// <summary>The token that a session must bring; null for none.</summary>
    internal string? Token { get; set; }

    /// <summary>Whether the token is no longer valid.</summary>
    internal bool IsExpired { get; set; }

    /// <summary>Why a request is refused, as a code of S3; null if it is not.</summary>
    internal string? FindFault(HttpRequest request, string target, byte[] body)
    {
        Match match = Regex.Match(
            request.Headers.Authorization.ToString(),
            "^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), "
            + "?Signature=([0-9a-f]{64})$");
        if (!match.Success)
        {
            return "AccessDenied";
        }

        if (match.Groups[1].Value != AccessKey)
        {
            return "InvalidAccessKeyId";
        }

        if (match.Groups[3].Value != Region)
        {
            return "AuthorizationHeaderMalformed";
        }

        if (IsExpired)
        {
            return "ExpiredToken";
        }

        if (Token is not null && request.Headers["x-amz-security-token"] != Token)
        {
            return "InvalidToken";
        }

        string[] signed = match.Groups[4].Value.Split(';');
        string hash = request.Headers["x-amz-content-sha256"].ToString();
        if (hash != Hex(SHA256.HashData(body)))
        {
            return "XAmzContentSHA256Mismatch";
        }

        if (!signed.Contains("host") || !signed.Contains("x-amz-date") || !signed.Contains("x-amz-content-sha256"))
        {
            return "AccessDenied";
        }

        string date = request.Headers["x-amz-date"].ToString();
        string scope = $"{match.Groups[2].Value}/{Region}/s3/aws4_request";
        string toSign = string.Join(
            '\n', "AWS4-HMAC-SHA256", date, scope,
            Hex(SHA256.HashData(Encoding.UTF8.GetBytes(Canonical(request, target, signed, hash)))));
        byte[] key = Mac(Encoding.UTF8.GetBytes("AWS4" + SecretKey), match.Groups[2].Value);
        key = Mac(Mac(Mac(key, Region), "s3"), "aws4_request");
        return Hex(Mac(key, toSign)) == match.Groups[5].Value ? null : "SignatureDoesNotMatch";
    }

    private static string Canonical(HttpRequest request, string target, string[] signed, string hash)
    {
        int mark = target.IndexOf('?', StringComparison.Ordinal);
        string path = mark < 0 ? target : target[..mark];
        IEnumerable<string> pairs = (mark < 0 ? "" : target[(mark + 1)..])
            .Split('&', StringSplitOptions.RemoveEmptyEntries)
            .Select(pair => pair.Split('=', 2))
            .Select(sides => $"{Again(sides[0])}={(sides.Length == 1 ? "" : Again(sides[1]))}")
            .Order(StringComparer.Ordinal);
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{request.Method}\n{Path(path)}\n{string.Join('&', pairs)}\n");
        foreach (string name in signed)
        {
            text.Append(CultureInfo.InvariantCulture, $"{name}:{request.Headers[name].ToString().Trim()}\n");
        }

        return text.Append(CultureInfo.InvariantCulture, $"\n{string.Join(';', signed)}\n{hash}").ToString();
    }

    private static string Path(string path) => string.Join('/', path.Split('/').Select(Again));

    /// <summary>A part of an address, escaped as the description says: all but letters, digits and -._~.</summary>
    private static string Again(string part) => Uri.EscapeDataString(Uri.UnescapeDataString(part));

    private static byte[] Mac(byte[] key, string text) => HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(text));

    private static string Hex(byte[] bytes) => Convert.ToHexStringLower(bytes);
}
