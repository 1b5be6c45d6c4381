using System.Text.Json.Serialization;
using Raven.Client.Documents;
using Raven.Client.ServerWide.Operations;

namespace Raven.Client.ServerWide;

/// <summary>How the types of operations on the server are written and read: like <see cref="WireTypes"/>.</summary>
[JsonSourceGenerationOptions(
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(BuildNumber))]
[JsonSerializable(typeof(DatabaseRecord))]
internal sealed partial class ServerTypes : JsonSerializerContext;
