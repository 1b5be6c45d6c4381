using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations.ApiKeys;

/// <summary>Makes an API key. The answer has the key, which the server shows this once.</summary>
/// <param name="key">Its name, its rights and its end.</param>
public sealed class CreateApiKeyOperation(ApiKeyDefinition key) : IServerOperation<ApiKeyResult>
{
    /// <inheritdoc/>
    public RavenCommand<ApiKeyResult> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Post, node => new UrlBuilder(node, "/admin/api-keys"), ApiKeyBody.Of(key),
        response => response.ReadJson().Deserialize(ServerTypes.Default.ApiKeyResult));
}

/// <summary>The API keys that the server knows, without the keys themselves.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to list.</param>
/// <param name="id">The id of the only one to list; null for all.</param>
public sealed class GetApiKeysOperation(int start, int pageSize, string? id = null)
    : IServerOperation<ApiKeyDefinition[]>
{
    /// <inheritdoc/>
    public RavenCommand<ApiKeyDefinition[]> GetCommand(DocumentConventions conventions) => ServerRequests.GetAll(
        node => new UrlBuilder(node, "/admin/api-keys").Add("start", start).Add("pageSize", pageSize).Add("id", id),
        ServerTypes.Default.ApiKeyDefinition);
}

/// <summary>Gives an API key another text with the same rights. The answer has it, this once.</summary>
/// <param name="id">The id of the key.</param>
/// <param name="grace">How long the old text counts beside it, a day at most; nothing ends it at once.</param>
public sealed class RotateApiKeyOperation(string id, TimeSpan grace = default) : IServerOperation<ApiKeyResult>
{
    /// <inheritdoc/>
    public RavenCommand<ApiKeyResult> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Post,
        node => new UrlBuilder(node, "/admin/api-keys/rotate").Add("id", id).Add("graceSec", (long)grace.TotalSeconds),
        body: null, response => response.ReadJson().Deserialize(ServerTypes.Default.ApiKeyResult));
}

/// <summary>Gives an API key another name, other rights and another end.</summary>
/// <param name="id">The id of the key.</param>
/// <param name="key">What it has from then on. All of it replaces what there was.</param>
public sealed class PutApiKeyOperation(string id, ApiKeyDefinition key) : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Put, node => new UrlBuilder(node, "/admin/api-keys").Add("id", id), ApiKeyBody.Of(key));
}

/// <summary>Ends an API key, and what it has open.</summary>
/// <param name="id">The id of the key.</param>
public sealed class DeleteApiKeyOperation(string id) : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Delete, node => new UrlBuilder(node, "/admin/api-keys").Add("id", id));
}
