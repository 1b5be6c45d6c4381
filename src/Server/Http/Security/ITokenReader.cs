using Raven.Security.Rights;

namespace Raven.Server.Http.Security;

/// <summary>Reads tokens of an issuer that the operator has configured.</summary>
internal interface ITokenReader
{
    /// <summary>The identity that a token stands for; null if it does not count.</summary>
    Identity? TryRead(ReadOnlySpan<char> token);
}
