-- What a person does in Neovim: open a file, look at its problem, hover, complete, mend, rename, save.
-- It reads what to do from the JSON file in $PATOLLI_TODO, and writes beside it what was seen.

local todo = vim.fn.json_decode(vim.fn.readfile(vim.env.PATOLLI_TODO))
local seen = { version = vim.version().minor }
local PATIENCE = 60000

local function done(words)
  seen.stuck = words
  vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.PATOLLI_TODO .. ".seen")
  vim.cmd("qa!")
end

local function until_(words, holds)
  if not vim.wait(PATIENCE, holds, 50) then
    done(words)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function go(word, plus)
  vim.fn.cursor(1, 1)
  vim.fn.search("\\V" .. word, "cW")
  local at = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { at[1], at[2] + (plus or 0) })
end

local function ask(method)
  local client = vim.lsp.get_client_by_id(seen.client)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answers = vim.lsp.buf_request_sync(0, method, params, PATIENCE) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

vim.o.swapfile = false
vim.cmd("edit " .. vim.fn.fnameescape(todo.file))
vim.bo.filetype = "yaml"
local config = { name = "patolli", cmd = todo.command, root_dir = todo.root, cmd_env = todo.env }
if vim.lsp.start then
  seen.client = vim.lsp.start(config)
else
  seen.client = vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, seen.client)
end

until_("no problems came", function() return #vim.diagnostic.get(0) > 0 end)
seen.problems = vim.tbl_map(function(one) return { one.lnum, one.col, one.message } end, vim.diagnostic.get(0))

go(todo.hover)
seen.hover = vim.lsp.util.convert_input_to_markdown_lines(ask("textDocument/hover").contents)

go(todo.complete, #todo.complete)
local items = vim.lsp.util.extract_completion_items and vim.lsp.util.extract_completion_items(ask("textDocument/completion"))
  or ask("textDocument/completion").items
table.sort(items, function(one, other) return one.sortText < other.sortText end)
seen.offers = vim.tbl_map(function(item) return item.label end, items)

vim.ui.select = function(choices, options, chosen)
  seen.actions = vim.tbl_map(options.format_item or tostring, choices)
  chosen(choices[1], 1)
end
go(todo.wrong)
vim.lsp.buf.code_action()
until_("the problem was not mended", function() return not text():find(todo.wrong, 1, true) end)
until_("the problem did not go", function() return #vim.diagnostic.get(0) == 0 end)

go(todo.rename)
vim.lsp.buf.rename(todo.name)
until_("nothing was renamed", function() return text():find(todo.name, 1, true) ~= nil end)
vim.cmd("silent wall")
done("")
