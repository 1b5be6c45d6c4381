namespace Raven.Security.Registry;

/// <summary>A change of the registry, as the audit log has it.</summary>
/// <param name="Event">What happens, such as <c>certificate.created</c>.</param>
/// <param name="Resource">Which identity: a thumbprint, or the id of a key.</param>
/// <param name="Name">Its name.</param>
/// <param name="Before">Its rights before; null if there was none.</param>
/// <param name="After">Its rights behind it; null if there is none.</param>
public sealed record TrustChange(string Event, string Resource, string Name, string? Before, string? After);
