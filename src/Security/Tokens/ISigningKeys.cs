using Microsoft.IdentityModel.Tokens;

namespace Raven.Security.Tokens;

/// <summary>The keys with which an issuer signs.</summary>
public interface ISigningKeys
{
    /// <summary>The keys that are known now.</summary>
    IReadOnlyList<SecurityKey> Current { get; }

    /// <summary>
    /// Notes that a token names a key that is not known: the issuer may have a new one. Returns at once.
    /// </summary>
    void NoteUnknown();
}
