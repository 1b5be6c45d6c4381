using System.Net;

namespace Raven.Samples.Outbox;

/// <summary>The other system as a server of HTTP, which keeps what it has received in a file.</summary>
internal static class ReceiverServer
{
    internal static async Task RunAsync(Uri url, string file)
    {
        HashSet<string> seen = File.Exists(file)
            ? [.. File.ReadLines(file).Select(line => line.Split('\t')[0])]
            : [];
        await using var kept = new StreamWriter(file, append: true);
        using var listener = new HttpListener { Prefixes = { url.AbsoluteUri } };
        listener.Start();
        Console.WriteLine($"Receiving on {url}");
        while (true)
        {
            HttpListenerContext request = await listener.GetContextAsync();
            using var body = new StreamReader(request.Request.InputStream);
            string text = await body.ReadToEndAsync();
            string? key = request.Request.Headers[Sender.Key];
            if (key is null)
            {
                request.Response.StatusCode = (int)HttpStatusCode.BadRequest;
            }
            else if (seen.Add(key))
            {
                // It is kept before the sender hears that it is: what is not answered comes again.
                await kept.WriteLineAsync($"{key}\t{text}");
                await kept.FlushAsync();
            }

            request.Response.Close();
        }
    }
}
