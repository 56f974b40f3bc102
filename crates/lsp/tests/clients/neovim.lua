-- Neovim drives the server: open, messages, hover, definition, rename, completion. The last line says how it went.
-- Run as `nvim --headless --clean -u NONE -l neovim.lua` is not known to older versions, so: nvim --headless -u NONE -S neovim.lua

local program = os.getenv("MERKHET_PROGRAM")
local folder = os.getenv("MERKHET_FOLDER")

local function finish(message)
  io.stdout:write(message .. "\n")
  io.stdout:flush()
  vim.cmd("qall!")
end

local function expect(condition, what)
  if not condition then
    finish("FAILED: " .. what)
    error(what)
  end
  io.stdout:write("ok: " .. what .. "\n")
end

local ok, problem = pcall(function()
  vim.o.swapfile = false
  vim.cmd("edit " .. folder .. "/gate.xta")
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({
    name = "merkhet",
    cmd = { program, "lsp" },
    root_dir = folder,
  })
  expect(id ~= nil, "the server starts")
  vim.lsp.buf_attach_client(buffer, id)
  local client = vim.lsp.get_client_by_id(id)
  expect(vim.wait(20000, function() return client.initialized end), "it answers `initialize`")

  -- A text with an error: `Trian` for `Train`.
  local function messages() return vim.diagnostic.get(buffer) end
  expect(vim.wait(20000, function() return #messages() > 0 end), "messages come")
  local found = nil
  for _, one in ipairs(messages()) do
    if one.message:find("Trian", 1, true) then found = one end
  end
  expect(found ~= nil, "the misspelt template is named")
  -- Behind a letter that takes two units of UTF-16 in a comment on the same line; Neovim counts bytes from 0.
  local line = vim.api.nvim_buf_get_lines(buffer, found.lnum, found.lnum + 1, true)[1]
  expect(line:sub(found.col + 1, found.end_col) == "Trian", "at its place: " .. line:sub(found.col + 1, found.end_col))

  local function request(method, params)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000)
    local answer = answers and answers[id]
    expect(answer ~= nil and answer.err == nil, method .. " is answered")
    return answer.result
  end
  local function at(row, column)
    vim.api.nvim_win_set_cursor(0, { row, column })
    return vim.lsp.util.make_position_params(0, client.offset_encoding)
  end

  -- The quick fix for it.
  local params = vim.lsp.util.make_given_range_params({ found.lnum + 1, found.col }, { found.lnum + 1, found.end_col })
  params.context = { diagnostics = {} }
  local actions = request("textDocument/codeAction", params)
  expect(#actions == 1 and actions[1].title:find("Train", 1, true), "a fix is offered")
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  expect(vim.wait(20000, function()
    for _, one in ipairs(messages()) do
      if one.severity == vim.diagnostic.severity.ERROR then return false end
    end
    return true
  end), "after the fix there is no error")

  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  local function find(text, from)
    for row = from or 1, #lines do
      local column = lines[row]:find(text, 1, true)
      if column then return row, column - 1 end
    end
    error("no line with " .. text)
  end

  -- `x` in the guard: what it is, and where it is declared.
  local row, column = find("x >= LIMIT")
  local hover = request("textDocument/hover", at(row, column))
  expect(vim.inspect(hover):find("clock", 1, true) ~= nil, "hover says that it is a clock")
  hover = request("textDocument/hover", at(row, column + 6))
  expect(vim.inspect(hover):find("= 5", 1, true) ~= nil, "hover folds a constant: " .. vim.inspect(hover.contents.value))
  local definition = request("textDocument/definition", at(row, column))
  local declared = find("clock x;")
  expect(definition[1].range.start.line == declared - 1, "its declaration is found")

  -- `Near` in the query and in the process.
  row, column = find("Near")
  local before = #request("textDocument/references", vim.tbl_extend("force", at(row, column), { context = { includeDeclaration = true } }))
  expect(before == 4, "all places of a location: " .. before)
  local edit = request("textDocument/rename", vim.tbl_extend("force", at(row, column), { newName = "Close" }))
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  local whole = table.concat(lines, "\n")
  expect(not whole:find("Near", 1, true), "no place keeps the old name")
  local _, renamed = whole:gsub("Close", "Close")
  expect(renamed == 4, "every place has the new one: " .. renamed)

  -- Completion behind `T1.`.
  row, column = find("T1.Close")
  local items = request("textDocument/completion", at(row, column + 3))
  local labels = {}
  for _, item in ipairs(items.items or items) do labels[item.label] = true end
  expect(labels.Close and labels.Away and labels.x, "locations and variables of the process are offered")

  -- Formatting and colours.
  local formatted = request("textDocument/formatting", { textDocument = { uri = vim.uri_from_bufnr(buffer) }, options = { tabSize = 4, insertSpaces = true } })
  expect(#formatted == 1, "the text is laid out")
  vim.lsp.util.apply_text_edits(formatted, buffer, client.offset_encoding)
  local again = request("textDocument/formatting", { textDocument = { uri = vim.uri_from_bufnr(buffer) }, options = { tabSize = 4, insertSpaces = true } })
  expect(again == nil or #again == 0, "and stays as it is")
  local colours = request("textDocument/semanticTokens/full", { textDocument = { uri = vim.uri_from_bufnr(buffer) } })
  expect(#colours.data > 100, "words have colours")

  -- The verdict above the query.
  local document = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  local lenses
  vim.wait(20000, function() lenses = request("textDocument/codeLens", document) return #lenses > 0 end, 200)
  expect(lenses[1].command.command == "merkhet.check", "a query can be checked")
  request("workspace/executeCommand", { command = lenses[1].command.command, arguments = lenses[1].command.arguments })
  vim.wait(60000, function()
    lenses = request("textDocument/codeLens", document)
    return lenses[1] and lenses[1].command.command == "merkhet.showRun"
  end, 300)
  expect(lenses[1].command.title:find("satisfied", 1, true), "the verdict stands above it: " .. lenses[1].command.title)
  local run = request("workspace/executeCommand", { command = "merkhet.showRun", arguments = lenses[1].command.arguments })
  expect(run.report:find("->", 1, true) ~= nil, "and the run behind it")
end)
if ok then finish("ALL OK") else finish("FAILED: " .. tostring(problem)) end
