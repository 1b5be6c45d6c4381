namespace Raven.Client.Http;

/// <summary>
/// What all requests of a store pass through that has an identity, or speaks https. The API key is in a request only
/// while it is sent: events of the store, and what they write of a request, do not have it.
/// </summary>
internal sealed class IdentityHandler(ClientSecurity security, HttpMessageHandler handler) : DelegatingHandler(handler)
{
    private const string Header = "Authorization";

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        security.Check(request.RequestUri!);
        bool isAdded = security.Authorization is { } value && !request.Headers.NonValidated.Contains(Header)
            && request.Headers.TryAddWithoutValidation(Header, value);
        try
        {
            HttpResponseMessage answer = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
            security.OnAnswer();
            return answer;
        }
        finally
        {
            if (isAdded)
            {
                request.Headers.Remove(Header);
            }
        }
    }
}
