using System.Text.Json;

namespace Raven.Server.Http.Security;

/// <summary>Writes what stands for a secret.</summary>
internal delegate void SecretWriter(Utf8JsonWriter writer, JsonElement secret, SecretPlace place);

/// <summary>Copies records, and has every secret in them replaced.</summary>
internal static class SecretCopy
{
    /// <summary>Whether a record has a secret at all: most have none.</summary>
    internal static bool HasSecrets(JsonElement record)
    {
        foreach (JsonProperty member in record.EnumerateObject())
        {
            if (SecretMembers.MayHold(member.Name) && HasSecrets(member.Value, member.Name, ""))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes a record.</summary>
    /// <param name="writer">Takes it.</param>
    /// <param name="record">The record.</param>
    /// <param name="stored">The record that it replaces; null if there is none.</param>
    /// <param name="replace">Writes each secret.</param>
    internal static void WriteRecord(
        Utf8JsonWriter writer, JsonElement record, JsonElement? stored, SecretWriter replace)
    {
        var root = new SecretPlace("", stored, "");
        writer.WriteStartObject();
        foreach (JsonProperty member in record.EnumerateObject())
        {
            if (SecretMembers.MayHold(member.Name))
            {
                writer.WritePropertyName(member.Name);
                Write(writer, member.Value, root.Member(member), "", replace);
            }
            else
            {
                member.WriteTo(writer);
            }
        }

        writer.WriteEndObject();
    }

    /// <summary>Writes the value of a member of a record.</summary>
    internal static void Write(Utf8JsonWriter writer, JsonProperty member, SecretWriter replace) =>
        Write(writer, member.Value, new SecretPlace("", null, "").Member(member), "", replace);

    private static void Write(
        Utf8JsonWriter writer, JsonElement value, SecretPlace place, string within, SecretWriter replace)
    {
        if (IsSecret(value, place.Name, within))
        {
            replace(writer, value, place);
        }
        else if (value.ValueKind == JsonValueKind.Object)
        {
            writer.WriteStartObject();
            foreach (JsonProperty member in value.EnumerateObject())
            {
                writer.WritePropertyName(member.Name);
                Write(writer, member.Value, place.Member(member), place.Name, replace);
            }

            writer.WriteEndObject();
        }
        else if (value.ValueKind == JsonValueKind.Array)
        {
            writer.WriteStartArray();
            int index = 0;
            foreach (JsonElement element in value.EnumerateArray())
            {
                Write(writer, element, place.Element(element, index++), within, replace);
            }

            writer.WriteEndArray();
        }
        else
        {
            value.WriteTo(writer);
        }
    }

    private static bool HasSecrets(JsonElement value, string name, string within) =>
        IsSecret(value, name, within) || value.ValueKind switch
        {
            JsonValueKind.Object => value.EnumerateObject().Any(one => HasSecrets(one.Value, one.Name, name)),
            JsonValueKind.Array => value.EnumerateArray().Any(one => HasSecrets(one, name, within)),
            _ => false,
        };

    /// <summary>Whether a value is a secret, sealed or not. An object with the mark of a sealed one is one anywhere: a
    /// client cannot plant it.</summary>
    private static bool IsSecret(JsonElement value, string name, string within) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!.Length > 0 && SecretMembers.IsSecret(name, within),
        JsonValueKind.Object => value.TryGetProperty(SecretMembers.Sealed, out _),
        _ => false,
    };
}
