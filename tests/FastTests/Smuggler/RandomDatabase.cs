using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>Fills a database with something of every feature, by a seed.</summary>
internal sealed class RandomDatabase(TestServer server, string database, int seed)
{
    private static readonly string[] Collections = ["Users", "Orders", "Plain"];

    private readonly Random _random = new(seed);

    internal async Task FillAsync(int steps)
    {
        await SendAsync("POST", "admin/revisions/config", """{"Default":null,"Collections":{"Orders":{}}}""");
        await SendAsync("POST", "admin/expiration/config", """{"Disabled":false,"DeleteFrequencyInSec":100000}""");
        await SendAsync(
            "PUT", "admin/indexes",
            """{"Indexes":[{"Name":"Users/ByName","Maps":["map('Users', u => ({ Name: u.Name }))"]}]}""");
        await SendAsync(
            "PUT", "subscriptions",
            $$"""{"Name":"mail{{seed}}","Query":"from Users as u where u.Name != 'n1' select { N: u.Name }"}""");
        await SendAsync("PUT", "subscriptions", """{"Name":"off","Query":"from Orders","Disabled":true}""");
        for (int step = 0; step < steps; step++)
        {
            await StepAsync(step);
        }
    }

    private async Task StepAsync(int step)
    {
        string id = $"docs/{_random.Next(12)}";
        string collection = Collections[_random.Next(Collections.Length)];
        switch (_random.Next(10))
        {
            case < 4:
                string expires = _random.Next(4) == 0 ? ",\"@expires\":\"2099-01-01T00:00:00.0000000Z\"" : "";
                await SendAsync(
                    "PUT", $"docs?id={id}",
                    $$$"""
                    {"Name":"n{{{step}}}","Text":"ä\u0001\"{{{step}}}",
                    "@metadata":{"@collection":"{{{collection}}}"{{{expires}}}}}
                    """);
                break;
            case 4:
                await SendAsync("DELETE", $"docs?id={id}", null);
                break;
            case 5:
                var bytes = new byte[_random.Next(5) == 0 ? 200_000 : _random.Next(50)];
                _random.NextBytes(bytes);
                await server.SendAsync(
                    "PUT", $"/databases/{database}/attachments?id={id}&name=a{_random.Next(3)}&contentType=x/y",
                    new ByteArrayContent(bytes));
                break;
            case 6:
                await SendAsync(
                    "POST", "counters",
                    $$"""
                    {"Documents":[{"DocumentId":"{{id}}","Operations":
                    [{"Type":"Increment","CounterName":"c{{_random.Next(4)}}","Delta":{{_random.Next()}}}]}]}
                    """);
                break;
            case 7:
                await SendAsync("PUT", $"cmpxchg?key=k{_random.Next(9)}&index=0", $$$"""{"Object":{"N":{{{step}}}}}""");
                break;
            case 8:
                await SendAsync("POST", $"identity/next?name=i{_random.Next(3)}", null);
                break;
            default:
                await server.SendAsync(
                    "DELETE", $"/databases/{database}/attachments?id={id}&name=a{_random.Next(3)}", (string?)null);
                break;
        }
    }

    private async Task SendAsync(string method, string path, string? body)
    {
        HttpAnswer answer = await server.SendAsync(method, $"/databases/{database}/{path}", body);
        bool isMissing = answer.Text.Contains("DocumentDoesNotExist", StringComparison.Ordinal);
        Assert.True(answer.Status is < 300 or 404 or 409 || isMissing, $"{answer.Status} {answer.Text}");
    }
}
