using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Server.Http.Commands;

namespace FastTests.Server;

public sealed class CommandScannerTests : IDisposable
{
    private const string Batch = """
        { "TransactionMode" : "SingleNode", "Commands" : [
          {"Id":"users/1-A","ChangeVector":null,"Type":"PUT",
           "Document":{"Name":"שלום \u0022x\"","@metadata":{"@collection":"Users"}}},
          {"Type":"DELETE","Id":"a\u002fb","ChangeVector":"A:1-x"} ,
          {"Id":"","Document":{},"Type":"PUT","Other":[1,{"a":"]}"}]},
          {"Type":"PATCH","Patch":{"Script":"this.x = '}'"},"Id":"p"}
        ],"More":{"a":[true,null,-1.5e3]} }
        """;

    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    public void A_batch_is_read_command_by_command()
    {
        string[] commands = Read(Batch, isBatch: true, Batch.Length, out string? error);
        Assert.Null(error);
        Assert.Equal(
            [
                """Put users/1-A cv=- {"@metadata":{"@collection":"Users"},"Name":"שלום \"x\""}""",
                "Delete a/b cv='A:1-x' -",
                "Put  cv=- {}",
                "Typed PATCH p cv=- -",
            ],
            commands);
    }

    [Fact]
    public void A_batch_that_is_cut_anywhere_into_pieces_gives_the_same_commands()
    {
        string[] whole = Read(Batch, isBatch: true, Batch.Length, out _);
        byte[] body = Encoding.UTF8.GetBytes(Batch);
        for (int cut = 1; cut < body.Length; cut++)
        {
            Assert.Equal(whole, Read([body[..cut], body[cut..]], isBatch: true, out string? error));
            Assert.Null(error);
        }

        Assert.Equal(whole, Read([.. body.Select(b => new[] { b })], isBatch: true, out _));
    }

    [Fact]
    public void A_list_of_commands_ends_at_its_bracket_without_waiting_for_more_input()
    {
        var scanner = new CommandScanner();
        scanner.Begin(_context, isBatch: false);
        byte[] body =
            """[{"Type":"HeartBeat"},{"Id":"a","Type":"PUT","Document":{}}]never read"""u8.ToArray();
        int position = 0;
        Assert.Equal(ScanStatus.Command, Scan(scanner, body, ref position));
        Assert.Equal(CommandKind.HeartBeat, scanner.Command.Kind);
        Assert.Equal(ScanStatus.Command, Scan(scanner, body, ref position));
        Assert.True(scanner.Command.HasDocument);
        Assert.Equal(ScanStatus.End, Scan(scanner, body, ref position));
        Assert.True(scanner.IsAtEnd);
        Assert.Equal("never read", Encoding.UTF8.GetString(body.AsSpan(position)));
    }

    [Theory]
    [InlineData("", "the body ends")]
    [InlineData("[]", "an object with Commands")]
    [InlineData("{}", "no Commands")]
    [InlineData("{\"Commands\":{}}", "[")]
    [InlineData("{\"Commands\":[1]}", "command 0: a command, an object,")]
    [InlineData("{\"Commands\":[{},]}", "command 1: a command, an object,")]
    [InlineData("{\"Commands\":[{}{}]}", "a comma or ]")]
    [InlineData("{\"Commands\":[{\"Id\"1}]}", "a colon")]
    [InlineData("{\"Commands\":[{\"Id\":1}]}", "Id must be a text")]
    [InlineData("{\"Commands\":[{\"Id\":\"a\",\"Id\":\"b\"}]}", "Id is named twice")]
    [InlineData("{\"Commands\":[{\"Document\":[]}]}", "Document must be an object")]
    [InlineData("{\"Commands\":[{\"Document\":{\"a\":1,\"a\":2}}]}", "command 0: Document: line 1")]
    [InlineData("{\"Commands\":[{\"Document\":{\"a\":nul}}]}", "command 0: Document: line 1")]
    [InlineData("{\"Commands\":[{\"Id\":\"\u0001\"}]}", "command 0: Id")]
    [InlineData("{\"Commands\":[{\"Id\":\"\\x\"}]}", "command 0: Id")]
    [InlineData("{\"Commands\":[{\"Other\":{\"a\":[}}]}", "command 0: Other")]
    [InlineData("{\"Commands\":[]} x", "only white space")]
    [InlineData("{\"Commands\":[],\"Commands\":[]}", "Commands is named twice")]
    [InlineData("{\"TransactionMode\":1,\"Commands\":[],\"TransactionMod\\u0065\":2}", "Mode is named twice")]
    [InlineData("{\"X\":[],\"Commands\":[],\"X\":{}}", "X is named twice")]
    [InlineData("{\"Commands\":[{\"Id\":\"a\"", "the body ends")]
    [InlineData("{\"Commands\":[]", "the body ends")]
    public void A_broken_batch_is_refused_with_the_position_and_the_reason(string body, string reason)
    {
        for (int chunk = 1; chunk <= Math.Max(1, body.Length); chunk += Math.Max(1, body.Length - 1))
        {
            Read(body, isBatch: true, chunk, out string? error);
            Assert.NotNull(error);
            Assert.Contains(reason, error, StringComparison.Ordinal);
        }
    }

    private string[] Read(string body, bool isBatch, int chunkSize, out string? error) =>
        Read([.. Encoding.UTF8.GetBytes(body).Chunk(chunkSize)], isBatch, out error);

    private string[] Read(byte[][] chunks, bool isBatch, out string? error)
    {
        _context.Reset();
        var scanner = new CommandScanner();
        scanner.Begin(_context, isBatch);
        List<string> commands = [];
        error = null;
        foreach (byte[] chunk in chunks)
        {
            int position = 0;
            ScanStatus status;
            while ((status = Scan(scanner, chunk, ref position)) == ScanStatus.Command)
            {
                commands.Add(Show(in scanner.Command));
            }

            if (status == ScanStatus.Invalid)
            {
                error = scanner.Error;
                return [.. commands];
            }

            Assert.Equal(chunk.Length, position);
        }

        error = scanner.IsAtEnd ? null : "the body ends";
        return [.. commands];
    }

    private static ScanStatus Scan(CommandScanner scanner, byte[] body, ref int position)
    {
        ScanStatus status = scanner.Scan(body.AsSpan(position), out int consumed);
        position += consumed;
        return status;
    }

    private static string Show(in ScannedCommand command)
    {
        string document = "-";
        if (command.HasDocument)
        {
            var json = new System.Buffers.ArrayBufferWriter<byte>();
            BlittableToJson.Write(command.Document, json);
            document = Encoding.UTF8.GetString(json.WrittenSpan);
        }

        string type = command.TypeName == null ? $"{command.Kind}" : $"{command.Kind} {command.TypeName}";
        string vector = command.HasChangeVector ? $"'{Encoding.UTF8.GetString(command.ChangeVector.Span)}'" : "-";
        return $"{type} {Encoding.UTF8.GetString(command.Id.Span)} cv={vector} {document}";
    }
}
