using System.Text.Json;
using Raven.Security.Rights;

namespace Raven.Security.Tokens;

/// <summary>
/// The rights of the roles that an issuer names: a clearance up to Operator, and rights to databases. A caller with
/// several roles has of each kind the highest. Immutable.
/// </summary>
public sealed class RoleMap
{
    private readonly Dictionary<string, (Clearance Clearance, Permissions Permissions)> _roles;

    private RoleMap(Dictionary<string, (Clearance, Permissions)> roles)
    {
        _roles = roles;
    }

    /// <summary>How many roles it has.</summary>
    public int Count => _roles.Count;

    /// <summary>
    /// Reads it from JSON: <c>{"role":{"SecurityClearance":"ValidUser","Permissions":{"shop":"ReadWrite"}}}</c>.
    /// </summary>
    /// <exception cref="FormatException">It is no such JSON, has a name twice, or gives more than a token may.
    /// </exception>
    public static RoleMap Parse(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json, new JsonDocumentOptions { AllowDuplicateProperties = false });
            Dictionary<string, (Clearance, Permissions)> roles = new(StringComparer.Ordinal);
            foreach (JsonProperty role in document.RootElement.EnumerateObject())
            {
                roles.Add(role.Name, Read(role));
            }

            return new RoleMap(roles);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or ArgumentException)
        {
            throw new FormatException($"It is no JSON object of roles: {e.Message}", e);
        }
    }

    /// <summary>What some roles are good for together; false if none of them is known.</summary>
    public bool TryResolve(IEnumerable<string> roles, out Clearance clearance, out Permissions permissions)
    {
        ArgumentNullException.ThrowIfNull(roles);
        bool isKnown = false;
        clearance = Clearance.ValidUser;
        Dictionary<string, DatabaseRight> rights = new(StringComparer.OrdinalIgnoreCase);
        foreach (string role in roles)
        {
            if (!_roles.TryGetValue(role, out (Clearance Clearance, Permissions Permissions) found))
            {
                continue;
            }

            isKnown = true;
            clearance = found.Clearance > clearance ? found.Clearance : clearance;
            foreach ((string database, DatabaseRight right) in found.Permissions.All)
            {
                rights[database] = right > rights.GetValueOrDefault(database) ? right : rights[database];
            }
        }

        permissions = Permissions.Of(rights);
        return isKnown;
    }

    private static (Clearance, Permissions) Read(JsonProperty role)
    {
        Clearance clearance = Clearance.ValidUser;
        List<KeyValuePair<string, DatabaseRight>> rights = [];
        foreach (JsonProperty member in role.Value.EnumerateObject())
        {
            switch (member.Name)
            {
                case "SecurityClearance":
                    if (!Clearances.TryParse(member.Value.GetString(), out clearance)
                        || clearance > Clearance.Operator)
                    {
                        throw new FormatException(
                            $"The role '{role.Name}' has the clearance '{member.Value}': a token gives ValidUser or "
                            + "Operator.");
                    }

                    break;
                case "Permissions":
                    rights.AddRange(member.Value.EnumerateObject().Select(one => ReadRight(role.Name, one)));
                    break;
                default:
                    throw new FormatException(
                        $"The role '{role.Name}' has '{member.Name}': it takes SecurityClearance and Permissions.");
            }
        }

        return (clearance, Permissions.Of(rights));
    }

    private static KeyValuePair<string, DatabaseRight> ReadRight(string role, JsonProperty database) =>
        Clearances.TryParse(database.Value.GetString(), out DatabaseRight right)
            ? new(database.Name, right)
            : throw new FormatException(
                $"The role '{role}' has the right '{database.Value}' to '{database.Name}': it is Read, ReadWrite or "
                + "Admin.");
}
