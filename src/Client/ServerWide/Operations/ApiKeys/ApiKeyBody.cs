using System.Text.Json.Serialization;
using Raven.Client.ServerWide.Operations.Certificates;

namespace Raven.Client.ServerWide.Operations.ApiKeys;

/// <summary>The body of a request that makes or changes an API key. Null values are not sent, but for one.</summary>
internal sealed class ApiKeyBody
{
    public string? Name { get; init; }

    public SecurityClearance SecurityClearance { get; init; }

    public IReadOnlyDictionary<string, DatabaseAccess>? Permissions { get; init; }

    public IReadOnlyList<string>? Scopes { get; init; }

    public IReadOnlyList<string>? AllowedAddresses { get; init; }

    /// <summary>It is sent also if it is null: that a key never ends has to be said.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public DateTime? ExpiresAt { get; init; }

    internal static byte[] Of(ApiKeyDefinition key) => ServerRequests.BodyOf(
        new ApiKeyBody
        {
            Name = key.Name,
            SecurityClearance = key.SecurityClearance,
            Permissions = key.Permissions ?? [],
            Scopes = key.Scopes,
            AllowedAddresses = key.AllowedAddresses,
            ExpiresAt = key.ExpiresAt,
        },
        ServerTypes.Default.ApiKeyBody);
}
