using System.Text.Json;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;
using Raven.Security.Rights;

namespace Raven.Security.Tokens;

//   TOKEN-1  The algorithm is one of ours, whatever a token says: signatures with public keys alone. No token without a
//            signature, and none that is encrypted.
//   TOKEN-2  A token has an end, an issuer and an audience, and each of them is checked. Its members stand once.
//   TOKEN-3  A token gives the rights of an operator at most, and manages no identity.

/// <summary>Reads JSON Web Tokens (RFC 7519) of one issuer. Safe for all threads.</summary>
public sealed class TokenReader
{
    /// <summary>The longest token, in characters.</summary>
    public const int LengthMax = 16 * 1024;

    private static readonly string[] Algorithms =
        [SecurityAlgorithms.RsaSha256, SecurityAlgorithms.RsaSsaPssSha256, SecurityAlgorithms.EcdsaSha256];

    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false };

    private readonly JsonWebTokenHandler _handler = new() { MaximumTokenSizeInBytes = LengthMax };
    private readonly IssuerOptions _options;
    private readonly ISigningKeys _keys;
    private readonly TimeProvider _clock;

    /// <summary>Makes a reader.</summary>
    public TokenReader(IssuerOptions options, ISigningKeys keys, TimeProvider clock)
    {
        _options = options;
        _keys = keys;
        _clock = clock;
    }

    /// <summary>The identity that a token stands for; null if it does not count.</summary>
    /// <param name="token">What stands behind <c>Bearer</c>.</param>
    public Identity? TryRead(ReadOnlySpan<char> token)
    {
        if (token.Length > LengthMax || token.Count('.') != 2)
        {
            return null;
        }

        // With keys at hand nothing is awaited.
        TokenValidationResult result =
            _handler.ValidateTokenAsync(token.ToString(), Parameters()).GetAwaiter().GetResult();
        if (!result.IsValid)
        {
            if (result.Exception is SecurityTokenSignatureKeyNotFoundException)
            {
                _keys.NoteUnknown();
            }

            return null;
        }

        return result.SecurityToken is JsonWebToken { Subject.Length: > 0 } read && HasStrictTimes(read)
            ? IdentityOf(read)
            : null;
    }

    /// <summary>
    /// Whether its times are numbers (RFC 7519, 2) and each member stands once: the library also reads a time from a
    /// text, and takes one of two members of the same name, so that another reader could see another token.
    /// </summary>
    private static bool HasStrictTimes(JsonWebToken token)
    {
        try
        {
            using JsonDocument claims = JsonDocument.Parse(
                Base64UrlEncoder.DecodeBytes(token.EncodedPayload), Strict);
            return IsNumber(claims.RootElement, "exp")
                && (!claims.RootElement.TryGetProperty("nbf", out _) || IsNumber(claims.RootElement, "nbf"));
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static bool IsNumber(JsonElement claims, string name) =>
        claims.TryGetProperty(name, out JsonElement time) && time.ValueKind == JsonValueKind.Number;

    private Identity? IdentityOf(JsonWebToken token)
    {
        IEnumerable<string> roles =
            token.Claims.Where(claim => claim.Type == _options.RolesClaim).Select(claim => claim.Value);
        return _options.Roles.TryResolve(roles, out Clearance clearance, out Permissions permissions)
            ? new Identity
            {
                Kind = IdentityKind.Jwt,
                Name = token.Subject,
                Key = token.Subject,
                Clearance = clearance,
                Permissions = permissions,
                NotAfter = new DateTimeOffset(token.ValidTo, TimeSpan.Zero) + _options.ClockSkew,
            }
            : null;
    }

    private TokenValidationParameters Parameters() => new()
    {
        ValidAlgorithms = Algorithms,
        RequireSignedTokens = true,
        RequireExpirationTime = true,
        RequireAudience = true,
        ValidateIssuer = true,
        ValidateAudience = true,
        ValidateIssuerSigningKey = true,
        ValidIssuers = [_options.Issuer.OriginalString, _options.Issuer.AbsoluteUri],
        ValidAudience = _options.Audience,
        IssuerSigningKeys = _keys.Current,
        TryAllIssuerSigningKeys = false,
        LifetimeValidator = IsNow,
    };

    private bool IsNow(
        DateTime? notBefore, DateTime? expires, SecurityToken token, TokenValidationParameters parameters)
    {
        DateTime now = _clock.GetUtcNow().UtcDateTime;
        return expires is { } end && now <= end + _options.ClockSkew
            && (notBefore is not { } begin || now >= begin - _options.ClockSkew);
    }
}
