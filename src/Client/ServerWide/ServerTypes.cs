using System.Text.Json.Serialization;
using Raven.Client.Documents;
using Raven.Client.ServerWide.Operations;
using Raven.Client.ServerWide.Operations.ApiKeys;
using Raven.Client.ServerWide.Operations.Certificates;

namespace Raven.Client.ServerWide;

/// <summary>How the types of operations on the server are written and read: like <see cref="WireTypes"/>.</summary>
[JsonSourceGenerationOptions(
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(ApiKeyBody))]
[JsonSerializable(typeof(ApiKeyDefinition))]
[JsonSerializable(typeof(ApiKeyResult))]
[JsonSerializable(typeof(BuildNumber))]
[JsonSerializable(typeof(CertificateBody))]
[JsonSerializable(typeof(CertificateDefinition))]
[JsonSerializable(typeof(CertificateMetadata))]
[JsonSerializable(typeof(DatabaseRecord))]
[JsonSerializable(typeof(WhoAmIResult))]
internal sealed partial class ServerTypes : JsonSerializerContext;
